/**
 * How often the upstream preset is broken by a pull request that makes nothing worse, over 10000 of them.
 * Written by scripts/upstream-false-alarms.js.
 */
export const UPSTREAM_FALSE_ALARMS = [
  {
    where: 'two steady checkpoints, equally good, each passing 2.5 % of the problems that the other fails',
    rate: 0.5909,
    standardError: 0.0049,
  },
  {
    where: 'two steady checkpoints, equally good, each passing 7.5 % of the problems that the other fails',
    rate: 0.9982,
    standardError: 0.00042,
  },
  {
    where: 'one model twice, its answers varying (Beta, mean 75 %, concentration 0.5)',
    rate: 0.3075,
    standardError: 0.0046,
  },
] as const
