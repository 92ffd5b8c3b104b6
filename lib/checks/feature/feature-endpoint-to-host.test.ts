import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.endpoint-to-host';
const agent = 'calico-system/DaemonSet/calico-node';
const withAction = (variable: string | null, field?: string): Overrides<Facts> => ({
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
  ['nothing', withAction(null), 'pass'],
  ['ACCEPT', withAction('ACCEPT'), 'pass'],
  ['RETURN', withAction('RETURN'), 'fail'],
  ['DROP', withAction('DROP'), 'fail'],
  ['Return in FelixConfiguration', withAction(null, 'Return'), 'fail'],
  ['ACCEPT, which beats the FelixConfiguration', withAction('ACCEPT', 'Drop'), 'pass'],
])('%s', (_name, facts, status) => {
  const finding = find(id, facts);
  expect([finding.status, finding.severity]).toEqual([status, 'warning']);
});

test('what was not read is unknown', () => {
  expect(find(id, uncover(aFacts(withAction(null)), 'felix')).status).toBe('unknown');
});
