'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import type { Values } from '#lib/console/wizard/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { Choices } from './choices.tsx';

/** A new installation can begin with either data plane; elsewhere the goal is eBPF. */
export function OptionsFields({ saved, goal }: { saved: Values; goal: Goal }) {
  const { control } = useFormContext<Values>();
  const dataplane = useWatch({ control, name: 'dataplane' }) ?? saved.dataplane;
  const asks = goal === 'install';
  return (
    <div className="grid gap-6">
      {asks ? (
        <section className="grid gap-3">
          <h2 className="font-semibold">Data plane</h2>
          <Choices
            name="dataplane"
            legend="Data plane"
            chosen={saved.dataplane}
            choices={[
              {
                value: 'BPF',
                title: 'eBPF',
                text: 'Programs in the kernel carry traffic and replace the service proxy.',
                proposed: 'No later switch while workloads run.',
                because: null,
              },
              {
                value: 'Iptables',
                title: 'Standard (iptables)',
                text: 'Linux kernel rules (iptables); the service proxy stays. A later run can switch to eBPF.',
                proposed: null,
                because: null,
              },
            ]}
          />
        </section>
      ) : (
        <input type="hidden" name="dataplane" value="BPF" />
      )}
      {dataplane === 'Iptables' ? (
        <input type="hidden" name="dsr" value="no" />
      ) : (
        <section className="grid gap-3">
          {asks && <h2 className="font-semibold">How replies reach the client</h2>}
          <Choices
            name="dsr"
            legend="How replies reach the client"
            chosen={saved.dsr}
            choices={[
              {
                value: 'no',
                title: 'Tunnel: replies return through the first node',
                text: 'A request that enters at one node and is served on another is answered through the first. Works in every network.',
                proposed: 'It needs nothing special from the network between the nodes.',
                because: null,
              },
              {
                value: 'yes',
                title: 'DSR: replies go straight to the client',
                text: 'The node that serves the request answers the client itself: less traffic between nodes and a shorter way. The network must let a node send packets from the address of another; many clouds and firewalls drop them.',
                proposed: null,
                because: null,
              },
            ]}
          />
        </section>
      )}
    </div>
  );
}
