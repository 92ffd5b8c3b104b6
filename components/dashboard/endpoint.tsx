import { StateMark } from '#components/ui/state-mark.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import type { Facts } from '#lib/facts/index.ts';

/** The API server's address that the data plane uses or would use; without one, nodes would lose the API server at the switch. */
export async function Endpoint({ cluster, server }: { cluster: Slug; server: string | null }) {
  const answer = await host()
    .findings(cluster, 'kept')
    .catch(() => null);
  if (!answer?.ok)
    return (
      <>
        <StateMark state="unknown">Not known</StateMark>
        <p className="text-ink-2">
          {answer ? answer.message : 'The cluster’s facts could not be read; the log says why.'}
        </p>
      </>
    );
  const { endpoint } = answer.value.facts;
  const { configMap, suggested } = endpoint;
  if (configMap !== null) return <Configured endpoint={endpoint} configMap={configMap} />;
  if (suggested !== null)
    return (
      <>
        <span className="text-ink-2">none for eBPF yet; proposed:</span>
        <Address text={`${suggested.host}:${suggested.port}`} />
      </>
    );
  return (
    <>
      <span className="text-ink-2">none for eBPF yet</span>
      {server !== null && (
        <>
          <span className="text-ink-2">; the kubeconfig uses</span>
          <Address text={server} />
        </>
      )}
    </>
  );
}

function Configured({
  endpoint: { inUse },
  configMap: { host: name, port, namespace },
}: {
  endpoint: Facts['endpoint'];
  configMap: NonNullable<Facts['endpoint']['configMap']>;
}) {
  const others = inUse.filter((one) => one.host !== null && (one.host !== name || one.port !== port));
  return (
    <>
      <Address text={`${name}:${port}`} />
      <p className="text-ink-2">
        from the ConfigMap in <code>{namespace}</code>
      </p>
      {others.length > 0 && (
        <StateMark state="warn">
          {others.length === 1 ? 'a workload uses' : `${others.length} workloads use`} another address
        </StateMark>
      )}
    </>
  );
}

/** On its own line, so that it wraps only if necessary. */
function Address({ text }: { text: string }) {
  return <code className="block [overflow-wrap:anywhere]">{text}</code>;
}
