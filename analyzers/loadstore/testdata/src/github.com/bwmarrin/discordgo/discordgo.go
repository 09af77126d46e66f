// Package discordgo stands for the module of that name.
package discordgo

type Session struct{}

type MessageCreate struct{ Content string }
