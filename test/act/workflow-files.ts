import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { repository } from '../cli/cli-process.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly steps: readonly Step[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> | string }
}

export interface WorkflowFile {
  /** From the root of the repository. */
  readonly name: string
  readonly text: string
  readonly parsed: {
    readonly name: string
    readonly on: Readonly<Record<string, unknown>>
    readonly permissions: Readonly<Record<string, string>>
    readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': unknown }
    readonly jobs: Readonly<Record<string, Job>>
  }
}

/** The workflows of a folder of this repository. */
function readWorkflows(folder: string): readonly WorkflowFile[] {
  return readdirSync(path.join(repository, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((file) => {
      const name = `${folder}/${file}`
      const text = readFileSync(path.join(repository, name), 'utf8')
      return { name, text, parsed: parse(text) }
    })
}

export const ownWorkflows = readWorkflows('.github/workflows')
export const exampleWorkflows = readWorkflows('examples/workflows')
export const allWorkflows = [...ownWorkflows, ...exampleWorkflows]

export const stepsOf = ({ parsed }: WorkflowFile) => Object.values(parsed.jobs).flatMap(({ steps }) => steps)
