-- Sends booking submissions, each with its own bookingId and tenant, optionally mixed with live reads.
-- arguments: the first booking's number, the number of units, the first unit's ID; optionally the share of bookings for the
-- nights of the previous one, Zipf's exponent over the units (0: units in turn, a free month each), and the share of reads
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local number, units, first_unit, conflicts, skew, reads = 0, 1, 1, 0, 0, 0
local years = 7000 -- from 2030, so that years have four digits
local head, read_head
local unit, month = 0, 0
local weights, next_month = {}, {}
posted = 0

-- Numbers have fixed widths, so that all bodies have the same length and share their header: the load generator competes with
-- the server for processor time.
local template = '{"externalId":"%07d","bookingId":"00000000-0000-4000-8000-%012x","checkInDate":"%04d-%02d-01",'
  .. '"checkOutDate":"%04d-%02d-25","numberOfExtraTenants":1,"platformProviderPaymentValue":%04d.50,'
  .. '"otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"guest%09d@guests.example",'
  .. '"fiscalId":"X%09dL","phone":"+34 600 000 000","nationality":"GB"}}'

local function weigh_units()
  local sum = 0
  for i = 1, units do
    sum = sum + i ^ -skew
    weights[i] = sum
  end
end

local function unit_by_weight()
  local target, low, high = math.random() * weights[units], 1, units
  while low < high do
    local middle = math.floor((low + high) / 2)
    if weights[middle] < target then low = middle + 1 else high = middle end
  end
  return low - 1
end

local function choose_nights()
  if conflicts > 0 and posted > 0 and math.random() < conflicts then return end
  if skew == 0 then
    unit, month = number % units, math.floor(number / units)
  else
    unit = unit_by_weight()
    month = next_month[unit] or math.floor(number / units)
    next_month[unit] = month + 1
  end
end

local function body()
  local year = 2030 + math.floor(month / 12) % years
  local month_of_year = month % 12 + 1
  return string.format(template, first_unit + unit, number, year, month_of_year, year, month_of_year,
    1000 + number % 900, number, number)
end

function init(arguments)
  number, units, first_unit = tonumber(arguments[1]), tonumber(arguments[2]), tonumber(arguments[3])
  conflicts, skew, reads = tonumber(arguments[4] or 0), tonumber(arguments[5] or 0), tonumber(arguments[6] or 0)
  math.randomseed(number + 1)
  if skew > 0 then weigh_units() end
  local single = wrk.path:gsub("/bookings$", "/listings/" .. first_unit)
  read_head = wrk.format("GET", single)
  wrk.headers["Content-Type"] = "application/json"
  local example = body()
  head = wrk.format("POST", nil, nil, example):sub(1, -#example - 1)
end

function request()
  if reads > 0 and math.random() < reads then return read_head end
  choose_nights()
  local next_body = body()
  number = number + 1
  posted = posted + 1
  return head .. next_body
end

local threads = {}
function setup(thread) table.insert(threads, thread) end

local print_result = done
function done(...)
  print_result(...)
  local sent = 0
  for _, thread in ipairs(threads) do sent = sent + thread:get("posted") end
  print(string.format("posted %d", sent))
end
