-- Booking submissions, each with a bookingId, a tenant and a free month of its own.
-- arguments: the first booking's number, the number of units, the first unit's ID
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local number, units, first_unit = 0, 1, 1
local head

-- Every number has a width of its own, so that all bodies are of one length and share their head: the load takes
-- its processor time from what it measures.
local template = '{"externalId":"%07d","bookingId":"00000000-0000-4000-8000-%012x","checkInDate":"%04d-%02d-01",'
  .. '"checkOutDate":"%04d-%02d-25","numberOfExtraTenants":1,"platformProviderPaymentValue":%04d.50,'
  .. '"otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"guest%09d@guests.example",'
  .. '"fiscalId":"X%09dL","phone":"+34 600 000 000","nationality":"GB"}}'

local function body()
  local months = math.floor(number / units)
  local year, month = 2030 + math.floor(months / 12), months % 12 + 1
  return string.format(template, first_unit + number % units, number, year, month, year, month,
    1000 + number % 900, number, number)
end

function init(arguments)
  number, units, first_unit = tonumber(arguments[1]), tonumber(arguments[2]), tonumber(arguments[3])
  wrk.headers["Content-Type"] = "application/json"
  local example = body()
  head = wrk.format("POST", nil, nil, example):sub(1, -#example - 1)
end

function request()
  local next_body = body()
  number = number + 1
  return head .. next_body
end
