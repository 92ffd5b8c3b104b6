import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { listed } from '../wording/sentences.ts';

export const networkOverlayChoice = defineCheck({
  id: 'network.overlay-choice',
  group: 'Network',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['pools'],
  title: 'No IP pool uses IPIP',
  gap: 'An IP pool uses IPIP',
  topic: 'Overlay of the IP pools',
  ifIgnored: 'Packets take a longer way',
  consequence:
    'With IPIP pools, eBPF mode cannot look up routes in the kernel, so packets take a longer way than with VXLAN or no overlay.',
  remedy: {
    steps: ['Accept this for now, and move to VXLAN or no overlay later.'],
    details: [
      'If you change encapsulation and data plane together, faults of one are hard to tell from faults of the other.',
    ],
    fixIn: 'compatibility',
  },
  source: 'spec › Limits › Performance recommendations',
  run: ({ pools }) =>
    failOnAny({
      all: pools,
      noun: 'pool',
      subject: ({ name }, detail) => ({ kind: 'IPPool', namespace: null, name, detail }),
      evaluate: ({ encapsulation, cidr }) =>
        encapsulation.startsWith('IPIP') ? `${cidr} with ${encapsulation}` : null,
      because: (failing) =>
        `${counted(failing.length, 'IP pool')} ${agreeing(failing.length, 'uses', 'use')} IPIP: ${listed(failing.map(({ name, detail }) => `${name} (${detail})`))}. VXLAN or no overlay performs better.`,
      evidence: ({ name, encapsulation }) => [
        { object: `IPPool/${name}`, path: 'spec.ipipMode', value: encapsulation },
      ],
    }),
});
