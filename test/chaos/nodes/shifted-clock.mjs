// preload of a node whose wall clock is wrong: the same process otherwise, on the same monotonic clock
// biome-ignore lint/style/noProcessEnv: how the rig tells it
const shiftMs = Number(process.env.SHIFT_CLOCK_MS)
const Real = Date

globalThis.Date = class Shifted extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shiftMs)
    else super(...given)
  }

  static now() {
    return Real.now() + shiftMs
  }
}
