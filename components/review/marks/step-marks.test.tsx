import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { noFlags } from '#lib/text/index.ts';
import { OperationEntry } from '../operation-entry.tsx';
import { TrafficMark, WritesMark } from './step-marks.tsx';

const { operations } = aPlan({}, { forgetKubeadmProxy: true });

function step(id: string) {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, '');
const shapeOf = (markup: string) => /<svg.*<\/svg>/.exec(markup)?.[0];

test.each([
  ['snapshot', 'traffic: none', 'journal only'],
  ['endpoint.configmap', 'traffic: none', 'creates 1'],
  ['switch.bpf', 'connections restart', 'changes 1'],
  ['bpf.active', 'traffic: none', 'reads only'],
  ['proxy.disable.daemonset', 'traffic may pause', 'changes 1'],
  ['proxy.forget-kubeadm', 'traffic: none', 'deletes 1'],
])('%s is marked twice: %s, and %s', (id, traffic, writes) => {
  const operation = step(id);
  expect(textOf(renderToStaticMarkup(<TrafficMark operation={operation} />))).toBe(traffic);
  expect(textOf(renderToStaticMarkup(<WritesMark operation={operation} />))).toBe(writes);
  const line = renderToStaticMarkup(<OperationEntry operation={operation} backAt={null} flags={noFlags} />);
  const [summary = ''] = /<summary.*<\/summary>/.exec(line) ?? [];
  expect(textOf(summary)).toContain(`${traffic}${writes}`);
});

test('what a step writes is told by its sign too, and whether traffic feels it by sign and weight', () => {
  const writes = ['endpoint.configmap', 'switch.bpf', 'bpf.active', 'proxy.forget-kubeadm'].map((id) =>
    shapeOf(renderToStaticMarkup(<WritesMark operation={step(id)} />)),
  );
  expect(new Set(writes).size).toBe(4);
  const [none, pause] = ['bpf.active', 'proxy.disable.daemonset'].map((id) =>
    renderToStaticMarkup(<TrafficMark operation={step(id)} />),
  );
  expect(shapeOf(none ?? '')).not.toBe(shapeOf(pause ?? ''));
  expect([none?.includes('font-semibold'), pause?.includes('font-semibold')]).toEqual([false, true]);
});
