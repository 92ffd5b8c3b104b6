import { messageOf } from '#lib/base/message-of.ts';
import { counted, inList } from '#lib/base/words.ts';
import { neighbourAsker } from '../host/ask-for-neighbours.ts';
import { endDatagramSockets } from '../host/datagram-sockets.ts';
import { Failures } from '../host/failures.ts';
import { ServiceTable } from '../services/service-table.ts';
import { Bell } from '../sync/bell.ts';
import { emptyHeldFlows } from '../sync/empty-held-flows.ts';
import { keepInSync, syncOnce } from '../sync/keep-in-sync.ts';
import { keepSweeping, wasLeft } from '../sync/keep-sweeping.ts';
import { readPresent } from '../sync/map-writes.ts';
import { FlowSweep, type HasBackend } from '../sync/sweep-flows.ts';
import type { AgentOptions } from './agent-options.ts';
import { agentAnswer, proxyAnswer, serviceAnswer } from './answers.ts';
import { collectGarbage } from './collect-garbage.ts';
import { HostPrograms } from './host-programs.ts';
import { keepServing } from './keep-serving.ts';
import { metricsText, SyncCounts } from './metrics.ts';
import { packetCounts } from './packet-counts.ts';
import { AgentRefused, refuseAsStranger, refuseBesidePolicy } from './refusals.ts';
import { ServiceHealthPorts } from './service-health-ports.ts';
import { SourceState } from './state/source-state.ts';

/** Nothing notifies the agent of changed addresses, interfaces and routes, so it looks: for new pods often, for everything else more rarely. */
const lookAtHost = { ms: 500, everyLooks: 10 } as const;

/**
 * The node agent: follows the source, writes the maps, attaches the programs once the maps are complete, and answers health checks until the signal
 * aborts. It detaches nothing when it ends: the kernel goes on with the last state. Rejects with AgentRefused before anything is attached.
 */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { source, maps, clock, log, nodeName, askForNeighbours = neighbourAsker() } = options;
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const present = readPresent(maps);
  const table = new ServiceTable(nodeName, present);
  const seen = new SourceState(options, table);
  const counts = new SyncCounts();
  const host = new HostPrograms(options, seen);
  const { devices } = host;
  // While changes are being written, a backend may be missing from all slots for a moment. Those that wait to be written do not count: in a large
  // cluster some always do.
  let isWriting = false;
  const hasBackend: HasBackend = (id, backend) => isWriting || present.hasBackend(id, backend);
  const sweep = new FlowSweep(maps, hasBackend);
  const went = new Bell();
  const [aloneBell, attachedBell] = [new Bell(), new Bell()];
  const ports = new ServiceHealthPorts(clock, (check) => serviceAnswer(check, seen.state(), clock), log);
  const packets = () => packetCounts(devices?.rows ?? new Map(), options.counts);
  const metrics = () => metricsText(seen.state(), table, counts, sweep.removed, packets(), clock.monotonic());
  const services = () => ({ counts: table.counts, problems: table.problems() });
  const tasks: Promise<unknown>[] = [];
  const run = (task: Promise<unknown>) => {
    tasks.push(
      task.catch((error: unknown) => {
        if (!stop.aborted) end.abort(error);
      }),
    );
  };
  const failures = new Failures(log);
  try {
    run(
      keepServing(
        {
          ...options.own,
          answer: (path) => agentAnswer(path, seen.state(), clock, { metrics, services, packets }),
          listening: (port) => options.listening?.('own', port),
          refused: log,
        },
        clock,
        stop,
      ),
    );
    if (options.healthPort !== null)
      run(
        keepServing(
          {
            host: null,
            port: options.healthPort,
            answer: (path) => proxyAnswer(path, seen.state(), clock),
            listening: (port) => {
              aloneBell.ring();
              options.listening?.('health', port);
            },
            refused: log,
          },
          clock,
          stop,
        ),
      );
    run(source.follow(seen, stop));
    await seen.untilListed(stop);
    stop.throwIfAborted();
    refuseAsStranger(nodeName, source, seen);
    await refuseBesidePolicy(options.withoutPolicy, options.foreignRules, seen);
    const because = devices?.refusal() ?? null;
    if (because !== null) throw new AgentRefused(because);
    if (options.lacks.length > 0)
      log(`This kernel lacks ${inList(options.lacks, options.lacks.length)}; the programs work without.`);
    log(`Read from ${source.name}: ${counted(table.counts.services, 'Service')}.`);

    await emptyHeldFlows(maps, stop);
    host.prepare();
    const before = () => {
      // After a refused write it stays so until all is written.
      isWriting = true;
      host.bringNew();
    };
    const sync = { table, present, maps, clock, before };
    const synced = (report: Awaited<ReturnType<typeof syncOnce>>) => {
      isWriting = false;
      counts.add(report);
      seen.synced();
      if (report.backendsWent) went.ring();
      if (options.healthPort !== null) ports.set(table.healthChecks());
    };
    synced(await syncOnce(sync, stop));
    await options.prepareHost?.();
    stop.throwIfAborted();
    host.attach();
    attachedNow();
    run(onceAlone());
    log(
      seen.state().isAttached
        ? 'The Services were written and the programs are attached.'
        : 'The Services were written; not every interface has its programs yet.',
    );
    run(
      keepInSync(
        {
          ...sync,
          bell: seen.bell,
          minSyncMs: options.minSyncMs,
          synced,
          failed: (error) => {
            counts.failures++;
            seen.failed(error);
            log(`Not written: ${messageOf(error)}`);
          },
        },
        stop,
      ),
    );
    const endSockets = () => void endDatagramSockets((socket) => wasLeft(maps, socket, hasBackend));
    run(keepSweeping(sweep, went, endSockets, options, stop));
    for (let looks = 1; !stop.aborted; looks++) {
      await clock.sleep(lookAtHost.ms, stop).catch(() => undefined);
      if (stop.aborted) break;
      orSay('Addresses of neighbours cannot be looked up', () => askForNeighbours(maps, process.hrtime.bigint()));
      if (seen.takeLargeLists()) (options.collectGarbage ?? collectGarbage)();
      if (looks % lookAtHost.everyLooks !== 0 && !devices?.hasChanged()) continue;
      // A failure of one must not prevent the other.
      orSay('Programs of sockets are not attached', () => host.bringSockets());
      orSay('Interfaces or routes are not written', () => host.bringDevices());
      attachedNow();
    }
  } catch (error) {
    if (!stop.aborted || !signal.aborted) end.abort(error);
  } finally {
    end.abort();
    await Promise.all([...tasks, ports.close()]);
    host.close();
  }
  if (!signal.aborted && end.signal.reason instanceof Error && end.signal.reason.name !== 'AbortError')
    throw end.signal.reason;

  function orSay(what: string, act: () => void): void {
    try {
      act();
      failures.fine(what, `No longer: ${what}.`);
    } catch (error) {
      seen.failed(error);
      failures.failed(what, `${what}: ${messageOf(error)}`);
    }
  }

  function attachedNow(): void {
    seen.attached(host.isAttached);
    if (seen.state().isAttached) attachedBell.ring();
  }

  /** Calls `options.onceAlone` once every interface has programs: until then an interface without them needs the service proxy beside us. */
  async function onceAlone(): Promise<void> {
    if (options.healthPort !== null) await aloneBell.heard(stop);
    else if (options.onceAloneWhen === 'felix-allows') return;
    if (options.onceAloneWhen === 'felix-allows') await seen.felix.untilAllowed(stop);
    while (!stop.aborted && !seen.state().isAttached) await attachedBell.heard(stop);
    if (!stop.aborted) await options.onceAlone?.();
  }
}
