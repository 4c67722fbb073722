import { pageAddress } from './api.ts'

/** The overlay page itself, without being counted as a renderer. */
export function Picture({ isOnAir }: { isOnAir: boolean }) {
  return (
    <section className={isOnAir ? 'picture picture-on-air' : 'picture'} aria-labelledby="picture">
      <h2 id="picture" className="visually-hidden">
        Live picture
      </h2>
      <iframe title="The overlay as it is on air" src={`${pageAddress()}/picture`} tabIndex={-1} />
    </section>
  )
}
