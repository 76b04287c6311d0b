package datasets

import "slices"

// Info tells what a name of the catalogue stands for.
type Info struct {
	Name     string
	About    string // one line
	Rows     int    // of the training part
	TestRows int
	Features int  // 0: unknown
	Embedded bool // in the program itself: needs neither file nor network
}

// set is an entry of the catalogue: either built by a function or read from files.
type set struct {
	Info
	build func() (train, test *Dataset)

	train, test []part
	fraction    float64  // without test files: the share of rows, of every class, that is the training part
	addresses   []string // folders on the web that publish the files, tried in order
	origin      string   // without addresses: why, and where the set comes from
}

// part is one file of LIBSVM text, or two of IDX (images and labels), and what is in it.
type part struct {
	files  []string
	rows   int
	counts []int // rows of each class, in any order; nil: not checked
}

const (
	libsvmBinary = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
	mnistGoogle  = "https://storage.googleapis.com/cvdf-datasets/mnist/"
	mnistPyTorch = "https://ossci-datasets.s3.amazonaws.com/mnist/"
)

// splitSeed is the seed of Dataset.Split for the sets that have no test files.
const splitSeed = 1

// sets is the catalogue, in the order in which it is shown.
func sets() []set {
	ijcnn1 := part{[]string{"ijcnn1.tr.bz2"}, 35000, []int{31585, 3415}}
	ijcnn1Val := part{[]string{"ijcnn1.val.bz2"}, 14990, []int{13552, 1438}}
	ijcnn1Test := part{[]string{"ijcnn1.t.bz2"}, 91701, []int{82989, 8712}}
	return append(builtSets(), []set{
		{Info: Info{Name: "a8a", About: "Adult: does a person earn more than 50000 dollars? (UCI census, binary features)", Rows: 22696, TestRows: 9865, Features: 123},
			train:     []part{{[]string{"a8a"}, 22696, []int{17190, 5506}}},
			test:      []part{{[]string{"a8a.t"}, 9865, []int{7530, 2335}}},
			addresses: []string{libsvmBinary}},
		{Info: Info{Name: "ijcnn1", About: "IJCNN 2001 challenge: does an engine misfire? (the tr rows, as the papers train)", Rows: 35000, TestRows: 91701, Features: 22},
			train: []part{ijcnn1}, test: []part{ijcnn1Test}, addresses: []string{libsvmBinary}},
		{Info: Info{Name: "ijcnn1+val", About: "ijcnn1 with its validation rows added to the training rows", Rows: 49990, TestRows: 91701, Features: 22},
			train: []part{ijcnn1, ijcnn1Val}, test: []part{ijcnn1Test}, addresses: []string{libsvmBinary}},
		{Info: Info{Name: "w8a", About: "Web: does a page belong to a category? (binary key words)", Rows: 49749, TestRows: 14951, Features: 300},
			train:     []part{{[]string{"w8a"}, 49749, []int{48270, 1479}}},
			test:      []part{{[]string{"w8a.t"}, 14951, []int{14497, 454}}},
			addresses: []string{libsvmBinary}},
		{Info: Info{Name: "mnist", About: "MNIST: handwritten digits 0 to 9, 28×28 pixels in [0, 1]", Rows: 60000, TestRows: 10000, Features: 784},
			train: []part{{[]string{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"}, 60000,
				[]int{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}}},
			test: []part{{[]string{"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}, 10000,
				[]int{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}}},
			addresses: []string{mnistGoogle, mnistPyTorch}},
		// Five of the ten pictures of every person are for training.
		{Info: Info{Name: "att", About: "AT&T (ORL) faces: 40 people, 28×23 pixels 0 to 255; label = person", Rows: 200, TestRows: 200, Features: 644},
			train: []part{{[]string{"att"}, 400, slices.Repeat([]int{10}, 40)}}, fraction: 0.5,
			origin: "no site has it in this form; it is the AT&T Database of Faces (https://cam-orl.co.uk/facedatabase.html), " +
				"scaled to 28×23 pixels, as LIBSVM text"},
		// 26 of the 39 pictures of every character are for training.
		{Info: Info{Name: "binalpha", About: "Binary Alphadigits: 0 to 9 (classes 1 to 10) and A to Z, 20×16 black and white pixels", Rows: 936, TestRows: 468, Features: 320},
			train: []part{{[]string{"binalpha"}, 1404, slices.Repeat([]int{39}, 36)}}, fraction: 2.0 / 3,
			origin: "no site has it in this form; it is binaryalphadigs of https://cs.nyu.edu/~roweis/data.html, as LIBSVM text"},
		// The papers' sizes, but not their rows, which are not published.
		{Info: Info{Name: "covtype", About: "Forest: is the cover of a patch its commonest kind? (UCI covertype, unscaled)", Rows: 522910, TestRows: 58102, Features: 54},
			train:    []part{{[]string{"covtype.libsvm.binary.bz2"}, 581012, []int{283301, 297711}}},
			fraction: 522910.0 / 581012, addresses: []string{libsvmBinary}},
		{Info: Info{Name: "timit", About: "TIMIT: phone 3 against the rest, from recorded speech (licensed: bring your own)", Rows: 63881, TestRows: 22257},
			train:  []part{{[]string{"timit"}, 63881, nil}},
			test:   []part{{[]string{"timit.t"}, 22257, nil}},
			origin: "TIMIT is licensed by the Linguistic Data Consortium (https://catalog.ldc.upenn.edu/LDC93S1), so its features must be made from your own copy, as LIBSVM text"},
	}...)
}

// builtSets are the sets that need no file.
func builtSets() []set {
	return []set{
		{Info: Info{Name: "mnist38", About: "MNIST's handwritten 3 (-1) against 8 (+1), 28×28 pixels in [0, 1]", Rows: 3000, TestRows: 1984, Features: 784}, build: embeddedDigits},
		{Info: Info{Name: "toy", About: "two overlapping normal classes in the plane", Rows: 100, TestRows: 2000, Features: 2}, build: toy},
		{Info: Info{Name: "banana", About: "two noisy crescents that reach into each other", Rows: 400, TestRows: 2000, Features: 2}, build: banana},
		{Info: Info{Name: "checkerboard", About: "4 × 4 fields, no noise: hard to describe with few support vectors", Rows: 1000, TestRows: 4000, Features: 2}, build: checkerboard},
		{Info: Info{Name: "spirals", About: "two arms wound around each other", Rows: 400, TestRows: 2000, Features: 2}, build: spirals},
	}
}
