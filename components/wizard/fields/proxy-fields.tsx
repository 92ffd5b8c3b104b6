'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ProxyProposal, Values } from '#lib/console/wizard/index.ts';
import { Choices } from './choices.tsx';

export function ProxyFields({ proposal, saved }: { proposal: ProxyProposal; saved: Values }) {
  const { control } = useFormContext<Values>();
  const proxy = useWatch({ control, name: 'proxy' });
  const { forget } = proposal;
  return (
    <div className="grid gap-5">
      <Choices
        name="proxy"
        legend="Turn the service proxy off?"
        choices={proposal.options.map((one) => ({ ...one, text: <WithCode text={one.text} /> }))}
        chosen={saved.proxy}
      />
      {forget === null || proxy === 'keep' ? (
        <input type="hidden" name="forget" value="no" />
      ) : (
        <div>
          <h2 className="font-semibold">Stop kubeadm from reinstalling kube-proxy?</h2>
          <p className="mt-0.5 mb-2 text-sm text-ink-2">{forget.text}</p>
          <Choices
            name="forget"
            legend="Stop kubeadm from reinstalling kube-proxy?"
            chosen={saved.forget}
            columns="two"
            choices={[
              {
                value: 'no',
                title: 'Leave it there',
                text: 'kubeadm’s next upgrade starts kube-proxy beside eBPF.',
                proposed: null,
                because: null,
              },
              {
                value: 'yes',
                title: 'Delete it at the end',
                text: 'kubeadm upgrades leave kube-proxy out.',
                proposed: null,
                because: null,
              },
            ]}
          />
        </div>
      )}
    </div>
  );
}
