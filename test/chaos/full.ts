/** True in `npm run test:chaos`: more kills and the longer faults. */
// biome-ignore lint/style/noProcessEnv: the switch between the two sizes of this folder
export const full = process.env.CHAOS === 'full'
