// Package gin stands for the framework.
package gin

type Context struct{}

func (c *Context) Next()                  {}
func (c *Context) Abort()                 {}
func (c *Context) JSON(code int, obj any) {}
func (c *Context) Param(key string) string {
	return key
}

type HandlerFunc func(*Context)
