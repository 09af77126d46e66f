// x op= y and x++ on every kind of place: operands are evaluated once, and
// calls in y before x is read.
package main

import "fmt"

type counter struct {
	n    int
	u    uint8
	f    float64
	s    string
	arr  [3]int
	list []int
	m    map[string]int
	p    *int
}

var (
	global  int
	globals = map[string][]int{}
)

func next(c *counter) int {
	c.n *= 2
	return c.n
}

func pick(c *counter) *counter {
	fmt.Println("pick")
	return c
}

func key(k string) string {
	fmt.Println("key", k)
	return k
}

func main() {
	c := &counter{n: 3, u: 1, list: []int{1, 2, 3}, m: map[string]int{}, p: new(int)}
	c.n++
	c.n--
	c.n += 4
	c.n += next(c)
	c.n -= 1 + 2*c.n
	c.n *= -1 - 1
	c.n /= 3
	c.n %= 1000
	c.n <<= 2
	c.n >>= uint(1)
	c.n |= 1 << 5
	c.n &^= 4
	c.n ^= 3
	c.n &= 0xfff
	n := 3
	c.u += 1 << n
	c.u <<= n
	c.f += 1
	c.f *= 2.5
	c.s += "a" + "b"
	c.s += key("c")
	pick(c).n += 10
	pick(c).arr[len(key("xy"))]++
	pick(c).list[1] *= len(key("abc"))
	c.m[key("k")]++
	pick(c).m[key("k")] += len(key("four"))
	c.m["new"] -= 1
	*c.p += 5
	*pick(c).p++
	global++
	globals["a"] = append(globals["a"], 1, 2)
	globals["a"][1] += 3
	(c.n)++
	fmt.Println(c.n, c.u, c.f, c.s, c.arr, c.list, c.m, *c.p, global, globals)
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		c.n /= c.arr[0]
	}()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		c.list[5]++
	}()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		var none *counter
		none.n += next(c)
	}()
	fmt.Println(c.n)
}
