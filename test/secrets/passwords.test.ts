import { expect, test } from 'vitest'
import { hashPassword, isPassword, newPassword } from '../../src/secrets/passwords.ts'

test('[issue 6.4] a password is known again by its hash, however its letters are composed, and no other is', async () => {
  const hash = await hashPassword('Caf\u00e9 \ud83c\udfdf')
  expect(hash).toMatch(/^scrypt\$32768\$8\$1\$[\w+/=]+\$[\w+/=]+$/)
  expect(await isPassword('Cafe\u0301 \ud83c\udfdf', hash)).toBe(true)
  expect(await isPassword('Cafe \ud83c\udfdf', hash)).toBe(false)
  expect(await hashPassword('Caf\u00e9 \ud83c\udfdf')).not.toBe(hash)
  for (const broken of ['', 'plain', 'scrypt$32768$8$1', 'bcrypt$32768$8$1$AAAA$AAAA'])
    expect(await isPassword('', broken)).toBe(false)
})

test('[issue 6.4] of a flood of passwords the first ones are judged and the others are told to come back', async () => {
  const hash = await hashPassword('right')
  const flood = await Promise.allSettled(Array.from({ length: 40 }, () => isPassword('wrong', hash)))
  const judged = flood.filter((each) => each.status === 'fulfilled')
  expect(judged).toHaveLength(21)
  for (const each of flood) if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 503 })
  expect(await isPassword('right', hash)).toBe(true)
})

test('[issue 6.4] passwords that are made here differ, and nobody mixes up their letters', () => {
  const made = Array.from({ length: 200 }, newPassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){3}$/)
})
