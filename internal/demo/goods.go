package demo

// good is something that the shop sells.
type good struct {
	name  string
	price float64
	tags  []string
}

// goods has names as shops have them: accents, wide characters, an emoji, quotes.
var goods = [...]good{
	{"Crème brûlée torch", 39.90, []string{"kitchen", "gas"}},
	{"Bread knife 24 cm", 54.00, []string{"kitchen", "steel"}},
	{"南部鉄器 teapot 0.9 l", 128.00, []string{"tea", "cast iron"}},
	{"Espresso cup ☕ set of 6", 32.50, []string{"coffee", "porcelain"}},
	{"Pasta drying rack", 21.00, []string{"kitchen", "beech"}},
	{"Rührschüssel 3 l", 18.75, []string{"baking"}},
	{"Pepper mill \"Ancône\"", 44.20, []string{"kitchen", "walnut"}},
	{"Kitchen scale 5 kg", 27.00, []string{"kitchen", "battery"}},
	{"Fleur de sel 250 g", 9.80, []string{"pantry"}},
	{"Cast iron pan ø 28", 69.00, []string{"kitchen", "cast iron"}},
	{"Tea towel, 3 pieces", 16.40, []string{"linen"}},
}
