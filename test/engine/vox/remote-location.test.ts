import { expect, test } from 'vitest'
import { isRemote as isRemoteInConfig } from '../../../src/config/engine-options.ts'
import { hideKeys, isRemote, publicPart } from '../../../src/engine/vox/remote-location.ts'

test.each([
  ['https://host/vox.git', true],
  ['HTTP://127.0.0.1:8080/vox', true],
  ['ssh://git@host/vox', true],
  ['file:///srv/vox', true],
  ['git+ssh://host/vox', true],
  ['git@host:acme/vox.git', true],
  ['a.user@host.example:vox', true],
  ['vox:main', false],
  ['host:path', false],
  ['ext::sh -c x', false],
  ['data:,x', false],
  ['C:\\vox', false],
  ['C:/vox', false],
  ['../vox', false],
  ['/srv/vox', false],
  ['./git@host:vox', false],
  ['vox', false],
  ['', false],
])('a sweep file and the resolver agree on whether %s is on another machine', (location, expected) => {
  expect([isRemote(location), isRemoteInConfig(location)]).toEqual([expected, expected])
})

test.each([
  ['https://host/vox.tgz?sig=SECRET&x=1#part', 'https://host/vox.tgz'],
  ['https://user:SECRET@host/vox.git', 'https://host/vox.git'],
  ['https://user:SEC@RET@host/a@b', 'https://host/a@b'],
  ['https://host?sig=SECRET/@x', 'https://host'],
  ['git@host:acme/vox.git', 'git@host:acme/vox.git'],
  ['/srv/what?/vox', '/srv/what?/vox'],
])('of %s may be shown: %s', (location, shown) => {
  expect(publicPart(location)).toBe(shown)
})

test('what a tool says of a URL, and of others, is shown without their keys', () => {
  const url = "https://user:SEC'RET@host/vox.git?SEC RET"
  const text = `fatal: '${url}' moved to https://other:SECRET@host/x?SECRET; not found`
  expect(hideKeys(text, url)).toBe("fatal: 'https://host/vox.git' moved to https://host/x not found")
})
