import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import { networkSentence } from '#lib/console/wire.ts';
import type { Facts } from '#lib/facts/index.ts';
import { ActionButton } from './actions/action-button.tsx';
import { canInstall, findingsNow } from './findings-now.ts';
import type { ServedBy } from './served-as-seen.ts';

type Subjects = NonNullable<Facts['installation']['unfinished']>['has'];

const mostNamed = 6;

/** What a cluster without Calico, or with an unfinished installation, has, and the button to go on. Nothing if Calico runs, or if that is not known. */
export async function InstallPanel({ cluster, servedBy }: { cluster: Slug; servedBy: ServedBy }) {
  const answer = await host()
    .findings(cluster, 'kept')
    .catch(() => null);
  if (!answer?.ok) return null;
  const { unfinished, method } = answer.value.facts.installation;
  if (unfinished !== null)
    return (
      <Notice
        state="warn"
        title="An installation of Calico was started here but not finished"
        actions={
          <ActionButton
            action="installCalico"
            cluster={cluster}
            words="Finish the installation"
            pending="Preparing…"
            kind={canInstall(await findingsNow(cluster, servedBy)) ? 'primary' : 'plain'}
          />
        }
      >
        <p>
          The plan keeps the existing objects and adds the missing ones. Until then Calico does not provide the network,
          whatever these objects say.
        </p>
        <dl className="mt-2 grid grid-cols-1 gap-x-4 gap-y-2 text-sm sm:grid-cols-2">
          <Named what="Here" subjects={unfinished.has} />
          <Named what="Missing" subjects={unfinished.lacks} />
        </dl>
      </Notice>
    );
  if (method !== 'none') return null;
  return (
    <Notice state="idle" title="Calico is not installed here">
      {networkSentence(answer.value.facts)} <b className="font-semibold">Install Calico</b> asks a few questions and
      shows every change before it is made; undoing the run uninstalls it again.
    </Notice>
  );
}

function Named({ what, subjects }: { what: string; subjects: Subjects }) {
  const more = subjects.length - mostNamed;
  return (
    <div>
      <dt className="text-ink-3">{what}</dt>
      <dd>
        <ul>
          {subjects.slice(0, mostNamed).map(({ kind, namespace, name, detail }) => (
            <li key={`${kind}/${namespace}/${name}`} className="[overflow-wrap:anywhere]">
              <code>
                <BreakableText text={[namespace, kind, name].filter((part) => part !== null).join('/')} />
              </code>
              {detail === '' ? '' : `: ${detail}`}
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      </dd>
    </div>
  );
}
