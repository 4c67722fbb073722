// uWS reads this when its library is loaded; its default of 4 KiB is less than a hundred provider ids take
// biome-ignore lint/style/noProcessEnv: the library has no other way to be told
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '16384'
