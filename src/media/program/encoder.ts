import { Socket } from 'node:net'
import type { ProgramSpec } from '../ports.ts'
import type { Processes } from '../process.ts'
import { PROGRESS_ARGS, type Progress, readProgress } from '../progress.ts'
import { usualMatrix } from './planes.ts'
import { ANALYSIS, READ_WITHIN, type Source } from './source.ts'

type Encoding = Omit<ProgramSpec, 'streamId' | 'run' | 'pageUrl' | 'hidden'>

const KEY_FRAME_SECONDS = 2
const MOST_THREADS = 4

/** Arguments of the one process that reads the input, blends the frames of descriptor 3 and publishes. */
export function encoderArgs(encoding: Encoding, source: Source): string[] {
  const { readUrl, publishUrl, width, height, fps, inputVolume } = encoding
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', ...PROGRESS_ARGS],
    // each thread that decodes holds a frame back
    ...['-thread_queue_size', '64', '-threads', '2', ...READ_WITHIN, ...ANALYSIS, '-i', readUrl],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuva420p', '-s', `${width}x${height}`, '-framerate', `${fps}`],
    // pictures that wait here are seen late
    ...['-thread_queue_size', '0', '-i', 'pipe:3'],
    ...(source.audio ? [] : ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=stereo:sample_rate=48000']),
    ...['-filter_complex', filters(encoding, source), '-map', '[out]'],
    ...videoArgs(encoding),
    ...audioArgs(source, inputVolume),
    // sound that stops must not hold back the picture
    ...['-max_interleave_delta', '500000', '-flush_packets', '1', '-rw_timeout', '10000000'],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', publishUrl],
  ]
}

function filters({ width, height, fps }: Encoding, { video }: Source): string {
  const matrix = usualMatrix(height)
  const given = video?.matrix ?? usualMatrix(video?.height ?? height)
  // named only when they differ: a conversion of equal pictures costs as much as any
  const colours = given === matrix ? '' : `:in_color_matrix=${given}:out_color_matrix=${matrix}`
  const space = matrix === 'bt709' ? 'bt709' : 'smpte170m'
  // both are named alike: a newer ffmpeg would convert a picture that it thinks differs
  const named = `setparams=range=tv:colorspace=${space}:color_primaries=${space}:color_trc=${space}`
  const main = [
    `[0:v:0]fps=${fps}`,
    // the picture keeps its shape; of the right size already it is passed on as it is
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2${colours}`,
    `pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p,${named}[main]`,
  ]
  // without `shortest` it would go on with the last picture of an input that has ended
  const blend = '[main][graphics]overlay=0:0:format=yuv420:shortest=1[out]'
  return [main.join(','), `[1:v]${named}[graphics]`, blend].join(';')
}

const keyFrames = (fps: number) => `${Math.round(fps * KEY_FRAME_SECONDS)}`

const videoArgs = ({ fps, videoBitrateKb }: Encoding) => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
  ...['-b:v', `${videoBitrateKb}k`, '-maxrate', `${videoBitrateKb}k`, '-bufsize', `${videoBitrateKb}k`],
  // at fixed places, as platforms and segments of HLS want them
  ...['-g', keyFrames(fps), '-keyint_min', keyFrames(fps), '-sc_threshold', '0', '-threads:v', `${MOST_THREADS}`],
]

/** Many platforms take no stream without sound, so one without it gets silence. */
function audioArgs({ audio }: Source, volume: number): string[] {
  if (!audio) return ['-map', '2:a', '-c:a', 'aac', '-b:a', '64k', '-shortest']
  if (volume === 100) return ['-map', '0:a:0', '-c:a', 'copy']
  return ['-map', '0:a:0', '-filter:a', `volume=${volume / 100}`, '-c:a', 'aac', '-b:a', '160k']
}

export type EncoderParts = { processes: Processes; ffmpeg: string; progressed(progress: Progress): void }

/** Starts the encoder, which takes frames from descriptor 3 and ends by itself when the input does. */
export function startEncoder({ processes, ffmpeg, progressed }: EncoderParts, spec: ProgramSpec, source: Source) {
  const child = processes.start({
    kind: 'encoder',
    of: spec.streamId,
    command: ffmpeg,
    args: encoderArgs(spec, source),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const { stdout, stdio } = child.process
  if (stdout) readProgress(stdout, progressed)
  return { child, frames: stdio[3] instanceof Socket ? stdio[3] : undefined }
}
