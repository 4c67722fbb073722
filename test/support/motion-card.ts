import { ttf } from './font.ts'
import { keyOf, type RivObject, writeRiv } from './riv.ts'

const RED = 0xffe4002b
const WHITE = 0xffffffff
const NAVY = 0xff0b1f3a

/** `at` begins a key frame's way to the next, with the curve that the file has as its object `ease`. */
const keys = (
  object: number,
  property: number,
  ease: number,
  ...frames: [frame: number, value: number][]
): RivObject[] => [
  ['keyedObject', { objectId: object }],
  ['keyedProperty', { propertyKey: property }],
  ...frames.map(
    ([frame, value]): RivObject => ['keyFrameDouble', { frame, value, interpolation: 2, interpolatorId: ease }],
  ),
]

/** The view model of the card, with a property of every type. */
export const CARD_PROPERTIES: RivObject[] = [
  ['enum', { enumName: 'side' }],
  ['enumValue', { enumKey: 'home', enumValue: 'home' }],
  ['enumValue', { enumKey: 'away', enumValue: 'away' }],
  ['viewModel', { viewModelName: 'Card' }],
  ['propertyString', { viewModelName: 'headline' }],
  ['propertyNumber', { viewModelName: 'points' }],
  ['propertyBoolean', { viewModelName: 'live' }],
  ['propertyColor', { viewModelName: 'accent' }],
  ['propertyEnum', { viewModelName: 'side', enumId: 0 }],
  ['propertyTrigger', { viewModelName: 'flash' }],
  ['propertyImage', { viewModelName: 'badge' }],
]
/** Its default instance, the first view model of its file. */
export const CARD_INSTANCE: RivObject[] = [
  ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
  ['instanceString', { viewModelPropertyId: 0, stringDefault: 'Headline' }],
  ['instanceNumber', { viewModelPropertyId: 1, numberDefault: 100 }],
  ['instanceBoolean', { viewModelPropertyId: 2, booleanDefault: 1 }],
  ['instanceColor', { viewModelPropertyId: 3, colorDefault: RED }],
  ['instanceEnum', { viewModelPropertyId: 4, enumDefault: 1 }],
  ['instanceTrigger', { viewModelPropertyId: 5 }],
  ['instanceImage', { viewModelPropertyId: 6 }],
]

const bound = (property: number, ...path: number[]): RivObject => [
  'bind',
  { boundProperty: property, sourcePath: Uint8Array.from(path) },
]

/**
 * A card of 800 by 200 in an artboard of its size: a panel whose colour is bound to `accent`, a plate of 160 by 160 at its right
 * with the picture `badge`, the picture asset `mark` of 40 by 20 about 600, 170, the text `headline`, a bar at the bottom as wide as `points` says. It slides in from the left within
 * so many sixtieths of a second of `onAir`, and out when that is false.
 */
export function motionCard(slideFrames = 30): Uint8Array {
  return writeRiv([
    ['backboard'],
    ['fontAsset', { assetName: 'Barlow', assetId: 21 }],
    ['assetContents', { bytes: ttf('@fontsource/barlow/files/barlow-latin-700-normal.woff') }],
    ['imageAsset', { assetName: 'mark', assetId: 22, assetWidth: 40, assetHeight: 20 }],
    ...CARD_PROPERTIES,
    ...CARD_INSTANCE,
    ['artboard', { name: 'Card', artboardWidth: 800, artboardHeight: 200, viewModelId: 0, defaultStateMachineId: 0 }],
    // 1: everything that slides
    ['node', { name: 'all', parentId: 0, x: -800, y: 0 }],
    // 2, 3, 4: the picture, drawn above what follows it
    ['image', { parentId: 1, x: 700, y: 100, imageAssetId: 0xffff }],
    bound(keyOf('imageAssetId'), 0, 6),
    // 3 to 6: the text
    ['text', { parentId: 1, x: 40, y: 60, sizing: 2, textWidth: 540, textHeight: 80, overflow: 3 }],
    ['textStyle', { parentId: 3, fontSize: 64, fontAssetId: 0 }],
    ['fill', { parentId: 4 }],
    ['solidColor', { parentId: 5, color: WHITE }],
    ['textRun', { parentId: 3, styleId: 4, text: 'Headline' }],
    bound(keyOf('text'), 0, 0),
    // 8 to 11: the bar
    ['shape', { parentId: 1, x: 0, y: 190 }],
    ['rectangle', { parentId: 8, width: 100, height: 20 }],
    bound(keyOf('width'), 0, 1),
    ['fill', { parentId: 8 }],
    ['solidColor', { parentId: 10, color: NAVY }],
    // 12: the mark, which the file only names
    ['image', { parentId: 1, x: 600, y: 170, imageAssetId: 1 }],
    // 13 to 16: the panel
    ['shape', { parentId: 1, x: 400, y: 100 }],
    ['rectangle', { parentId: 13, width: 800, height: 200 }],
    ['fill', { parentId: 13 }],
    ['solidColor', { parentId: 15, color: RED }],
    bound(keyOf('color'), 0, 3),
    // 17: ease out
    ['cubicInterpolator', { x1: 0.16, y1: 1, x2: 0.3, y2: 1 }],
    ['linearAnimation', { animationName: 'off', fps: 60, duration: 1 }],
    ...keys(1, keyOf('x'), 17, [0, -800]),
    ['linearAnimation', { animationName: 'in', fps: 60, duration: slideFrames }],
    ...keys(1, keyOf('x'), 17, [0, -800], [slideFrames, 0]),
    ['linearAnimation', { animationName: 'out', fps: 60, duration: slideFrames }],
    ...keys(1, keyOf('x'), 17, [0, 0], [slideFrames, -800]),
    ['stateMachine', { animationName: 'Machine' }],
    ['stateMachineBool', { machineName: 'onAir' }],
    ['stateMachineLayer', { machineName: 'Slide' }],
    ['animationState', { animationId: 0 }],
    ['stateTransition', { stateToId: 1 }],
    ['boolCondition', { inputId: 0, op: 0 }],
    ['animationState', { animationId: 1 }],
    ['stateTransition', { stateToId: 2 }],
    ['boolCondition', { inputId: 0, op: 1 }],
    ['animationState', { animationId: 2 }],
    ['stateTransition', { stateToId: 1 }],
    ['boolCondition', { inputId: 0, op: 0 }],
    ['anyState'],
    ['entryState'],
    ['stateTransition', { stateToId: 0 }],
    ['exitState'],
  ])
}
