'use client';

import type { Values } from '#lib/console/wizard/index.ts';
import { Choices } from './choices.tsx';

export function OptionsFields({ kept }: { kept: Values }) {
  return (
    <Choices
      name="dsr"
      legend="How answers go back to the client"
      chosen={kept.dsr}
      choices={[
        {
          value: 'no',
          title: 'Answers go back the way they came',
          text: 'A request that enters at one node and is served on another is answered through the first. Works in every network.',
          proposed: 'It asks nothing of the network between the nodes.',
          because: null,
        },
        {
          value: 'yes',
          title: 'Answers go straight back to the client (DSR)',
          text: 'The node that serves the request answers the client itself: less traffic between nodes and a shorter way. The network must let a node send packets from the address of another; many clouds and firewalls drop them.',
          proposed: null,
          because: null,
        },
      ]}
    />
  );
}
