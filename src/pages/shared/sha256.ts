const word = (value: number) => (value * 0x1_0000_0000) | 0

/** The first 64 primes, whose roots SHA-256 takes its constants from. */
const PRIMES = Array.from({ length: 312 }, (_, index) => index).filter(
  (number) =>
    number > 1 && !Array.from({ length: number }, (_, one) => one).some((one) => one > 1 && number % one === 0),
)
const ROUNDS = PRIMES.map((prime) => word(Math.cbrt(prime) % 1))
const START = PRIMES.slice(0, 8).map((prime) => word(Math.sqrt(prime) % 1))

const turned = (value: number, by: number) => (value >>> by) | (value << (32 - by))

/** SHA-256 of bytes in lower-case hexadecimal; `crypto.subtle` is only there over https. FIPS 180-4 */
export function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000))
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0)
  let hash = START
  for (let block = 0; block < padded.length; block += 64) hash = compressed(hash, view, block)
  return hash.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

function compressed(hash: readonly number[], view: DataView, block: number): number[] {
  const words = Array.from({ length: 16 }, (_, index) => view.getInt32(block + index * 4))
  for (let index = 16; index < 64; index++) {
    const [far = 0, near = 0] = [words[index - 15], words[index - 2]]
    const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3)
    const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10)
    words.push(((words[index - 16] ?? 0) + small + (words[index - 7] ?? 0) + large) | 0)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let index = 0; index < 64; index++) {
    const first =
      (h +
        (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUNDS[index] ?? 0) +
        (words[index] ?? 0)) |
      0
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  return [a, b, c, d, e, f, g, h].map((part, index) => (part + (hash[index] ?? 0)) | 0)
}
