-- Reads one path at about 1,000 requests a second over 16 connections, however long each response takes.
-- Arguments: the milliseconds between the requests of a connection.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")
local pause = 16

function init(arguments)
  pause = tonumber(arguments[1]) or pause
end

function delay()
  return pause
end
