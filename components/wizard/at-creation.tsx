import Link from 'next/link';
import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { proxyProposal, type WizardContext } from '#lib/console/wizard/index.ts';

/** Verbatim flags for creating a cluster, which only the administrator can do, with a button to check again. */
export function AtCreation({ context }: { context: WizardContext }) {
  const rows = proxyProposal(context).atCreation;
  if (rows.length === 0) return null;
  return (
    <div className="mt-6">
      <Panel title="If you have not created the cluster yet" aside={<CheckAllAgain />}>
        <p className="px-4 pt-3 text-sm text-ink-2">
          On a cluster created without kube-proxy there is none to turn off. The run does none of this: use these texts
          yourself. Signalbox sees the result when it reads the cluster again.
        </p>
        {rows.map(({ title, texts, unknown, path }) => (
          <div key={path} className="grid gap-2 border-t border-line px-4 py-3 first-of-type:border-t-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-[560]">{title}</span>
              <Link href={path} prefetch={false} className="text-sm">
                More of this platform<span className="sr-only">: {title}</span>
              </Link>
            </p>
            {texts.map((text, index) => (
              <div key={text} className="flex items-start gap-2 rounded border border-line bg-sunk py-1 pr-1 pl-3">
                <div className="min-w-0 flex-1 py-1">
                  <CodeBlock label={`When ${title} is made`}>{text}</CodeBlock>
                </div>
                <CopyButton text={text} of={`text ${index + 1} for: ${title}`} />
              </div>
            ))}
            {unknown !== null && (
              <p className="text-sm">
                <StateMark state="unknown">Not known</StateMark>{' '}
                <span className="text-ink-2">
                  <WithCode text={unknown} />
                </span>
              </p>
            )}
          </div>
        ))}
      </Panel>
    </div>
  );
}
