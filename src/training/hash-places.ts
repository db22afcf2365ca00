/**
 * Where things numbered from 1 lie by their 32-bit hash: open addressing with linear probing. A look-up goes from `start`
 * by `next` until `at` gives 0. A map of the language would do the same at a third of the speed.
 */
export interface HashPlaces {
  start(hash: number): number
  next(place: number): number
  /** The number of the thing there; 0 for none. */
  at(place: number): number
  /** @param hashes the hash of each thing, by its number, `thing` included */
  add(thing: number, hashes: readonly number[]): void
}

export function createPlaces(): HashPlaces {
  let slots = new Int32Array(1024)
  let mask = slots.length - 1
  const spread = (hash: number) => (hash ^ (hash >>> 15)) & mask

  function put(thing: number, hash: number): void {
    let place = spread(hash)
    while (slots[place] !== 0) place = (place + 1) & mask
    slots[place] = thing
  }

  return {
    start: spread,
    next: (place) => (place + 1) & mask,
    at: (place) => slots[place] as number,
    add(thing, hashes) {
      // Mostly empty, so that what is not there is seen at once.
      if (thing * 4 > slots.length) {
        slots = new Int32Array(slots.length * 4)
        mask = slots.length - 1
        for (let other = 1; other < thing; other++) put(other, hashes[other] as number)
      }
      put(thing, hashes[thing] as number)
    },
  }
}
