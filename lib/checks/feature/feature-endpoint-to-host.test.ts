import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.endpoint-to-host';
const agent = 'calico-system/DaemonSet/calico-node';
const says = (variable: string | null, field?: string): Overrides<Facts> => ({
  resources: {
    objects: {
      [agent]: {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'calico-node' },
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'calico-node',
                  env: variable === null ? [] : [{ name: 'FELIX_DEFAULTENDPOINTTOHOSTACTION', value: variable }],
                },
              ],
            },
          },
        },
      },
      'FelixConfiguration/default': { spec: { defaultEndpointToHostAction: field } },
    },
  },
});

test.each<[string, Overrides<Facts>, string]>([
  ['nothing', says(null), 'pass'],
  ['ACCEPT', says('ACCEPT'), 'pass'],
  ['RETURN', says('RETURN'), 'fail'],
  ['DROP', says('DROP'), 'fail'],
  ['Return in FelixConfiguration', says(null, 'Return'), 'fail'],
  ['ACCEPT, which beats the FelixConfiguration', says('ACCEPT', 'Drop'), 'pass'],
])('%s', (_name, facts, status) => {
  const finding = find(id, facts);
  expect([finding.status, finding.severity]).toEqual([status, 'warning']);
});

test('what was not read is unknown', () => {
  expect(find(id, uncover(aFacts(says(null)), 'felix')).status).toBe('unknown');
});
