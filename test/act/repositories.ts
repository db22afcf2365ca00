import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { temporaryFolder } from './act-run.ts'

export interface Repository {
  readonly folder: string
  /** Writes files and commits them; gives the commit. */
  commit(files: Readonly<Record<string, string>>): string
  git(...args: string[]): string
}

/** A fresh repository that says it is `name` (OWNER/NAME) on GitHub. */
export function createRepository(name: string): Repository {
  const folder = path.join(temporaryFolder(), 'repository')
  mkdirSync(folder)
  const git = createGit(folder)
  git('init', '--quiet', '--initial-branch', 'main')
  git('remote', 'add', 'origin', `https://github.com/${name}`)
  return openRepository(folder, git)
}

function openRepository(folder: string, git: Repository['git']): Repository {
  return {
    folder,
    git,
    commit(files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
        writeFileSync(path.join(folder, file), text)
      }
      git('add', '--all', '--force')
      git('commit', '--quiet', '--allow-empty', '--message', 'state')
      return git('rev-parse', 'HEAD')
    },
  }
}

function createGit(folder: string): Repository['git'] {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'core.autocrlf=false']
  return (...args) => execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

/**
 * This repository as a checkout of it would be, its working tree committed on top. What it builds is taken from `dist/`, as users get it.
 */
export function cloneThisRepository(): Repository {
  const folder = path.join(temporaryFolder(), 'repository')
  overlayWorkingTree(folder)
  return openRepository(folder, createGit(folder))
}

function overlayWorkingTree(folder: string): void {
  const here = createGit(repository)
  here('clone', '--quiet', '--shared', '--no-tags', repository, folder)
  const git = createGit(folder)
  git('remote', 'set-url', 'origin', 'https://github.com/OWNER/vox-efficacy')
  const gone = here('ls-files', '-z', '--deleted').split('\0')
  const changed = here('ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0')
  for (const file of gone.filter(Boolean)) rmSync(path.join(folder, file), { force: true })
  for (const file of changed.filter((each) => each !== '' && existsSync(path.join(repository, each)))) {
    cpSync(path.join(repository, file), path.join(folder, file))
  }
  git('checkout', '--quiet', '-B', 'main')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'the working tree')
}

let action: string | undefined
afterAll(() => {
  if (action !== undefined) rmSync(path.dirname(action), { recursive: true, force: true })
  action = undefined
})

/** Such a checkout for `uses: OWNER/vox-efficacy@v1`, one for all tests of a file, which do not write there. */
export function actionFolder(): string {
  if (action === undefined) {
    action = path.join(mkdtempSync(path.join(tmpdir(), 'vox-act-action-')), 'action')
    overlayWorkingTree(action)
  }
  return action
}
