import { expect, test } from 'vitest';
import { FlowError } from '#lib/flows/flow-error.ts';
import { KubeError } from '#lib/kube/index.ts';
import { memoryInProcess } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { failureOf } from '../host/failures.ts';
import { Refused } from '../host/refused.ts';
import { ClusterFeed } from './cluster-feed.ts';
import { FlowFeed } from './flow-feed.ts';

type Log = (line: string) => void;

const feeds = {
  'a cluster': (log: Log) => new ClusterFeed({ journalNamespaces, memory: memoryInProcess('x') }, 0, log),
  'its flows': (log: Log) => new FlowFeed(0, log),
};

/** Each error with the code that followers get, and whether the log gets it as a fault of Signalbox. */
const errors = [
  [Object.assign(new Error('database or disk is full'), { errcode: 13 }), 'state.unwritable', 'not logged'],
  [new Refused('cluster.not-found', 'There is no cluster of that name.'), 'cluster.not-found', 'not logged'],
  [new KubeError('forbidden', 'You may not.'), 'cluster.forbidden', 'not logged'],
  [new FlowError('too-old', 'v3.29 has no flow logs.'), 'flows.too-old', 'not logged'],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'fault', 'logged'],
  [new Error('undefined is not a function'), 'fault', 'logged'],
] as const;

test.each(Object.entries(feeds).flatMap(([what, make]) => errors.map((row) => [what, ...row, make] as const)))(
  '%s cannot be followed because of "%s": %s, %s',
  (_what, error, code, logged, make) => {
    const lines: string[] = [];
    const feed = make((line) => lines.push(line));
    feed.failed(error);
    expect(feed.feed.trouble).toMatchObject({
      event: 'problem',
      data: { code, message: failureOf(error)?.message ?? error.message },
    });
    expect(lines).toHaveLength(logged === 'logged' ? 1 : 0);
  },
);
