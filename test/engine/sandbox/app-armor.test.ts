import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { profileCommand } from '../../../src/engine/sandbox/app-armor.ts'

test('the printed command writes a profile for that program alone and loads it', () => {
  const command = profileCommand('/usr/bin/bwrap')
  const [writing = '', loading] = command.split(' | ')
  expect(execFileSync('/bin/sh', ['-c', writing], { encoding: 'utf8' })).toBe(
    'abi <abi/4.0>,\nprofile vox-efficacy-bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\n',
  )
  expect(loading).toBe(
    'sudo tee /etc/apparmor.d/vox-efficacy-bwrap && sudo apparmor_parser -r /etc/apparmor.d/vox-efficacy-bwrap',
  )
})
