import type { NodeMeasurement, TestOutcome } from '#lib/kube/index.ts';
import type { ProbeLine } from './line.ts';
import { foreignSource } from './outcomes/foreign-source.ts';
import { mounts, programs } from './outcomes/kernel.ts';
import { interfaces, linkMtu, vlanDevices } from './outcomes/links.ts';
import { endpointOutcome, reachedServers, servicesOutcomes } from './outcomes/reached.ts';
import { lineOf, linesOf, type NodeReport, notRun, passed, type Question, silentReport } from './outcomes/report.ts';
import { healthPort, ipvs, serviceProxy, whatServes } from './outcomes/service-proxy.ts';
import { outcomesOfFamilies } from './outcomes/vxlan.ts';

/** Turns the nodes' output into the outcome of each test. Output about other nodes or addresses than those in question is ignored. */
export function measurementsOf(question: Question, reports: readonly NodeReport[]): NodeMeasurement[] {
  const byNode = new Map(reports.map((report) => [report.node, report]));
  const vxlan = outcomesOfFamilies(question, byNode);
  const reached = reachedServers(question, reports);
  return question.nodes.map((node) => {
    const report = byNode.get(node.name) ?? silentReport(node.name);
    const host = endpointOutcome(question, report.host, reached);
    const endpoint = lineOf(linesOf(report.host), 'endpoint');
    const of = (outcomeOf: (lines: readonly ProbeLine[]) => TestOutcome): TestOutcome =>
      'because' in report.host ? notRun(report.host.because) : outcomeOf(report.host);
    return {
      node: node.name,
      ms: host.kind === 'passed' && endpoint?.ok ? endpoint.ms : null,
      asked: 'connection',
      addresses: [node.address, node.addressV6].filter((one) => typeof one === 'string'),
      linkMtu: linkMtu(node, linesOf(report.host)),
      proxy: whatServes(lineOf(linesOf(report.host), 'proxy')),
      tests: {
        'endpoint-from-host': host,
        'endpoint-from-pod': endpointOutcome(question, report.pod, reached),
        ...servicesOutcomes(question, report),
        programs: of((lines) => programs(question, node, lines)),
        mounts: of(mounts),
        interfaces: of((lines) => interfaces(question, node, lines)),
        'vlan-devices': of((lines) => vlanDevices(node, lines)),
        'service-proxy': of(serviceProxy),
        ipvs: of(ipvs),
        'health-port': of(healthPort),
        ...vxlan(node.name),
        ...(question.dsr ? { 'foreign-source': of((lines) => foreignSource(question, byNode, node, lines)) } : {}),
        images: imagesOutcome(question, report.images ?? of(() => passed)),
      },
    };
  });
}

/** Images that could not be tested make a pass impossible. */
function imagesOutcome({ imagesNotTested }: Question, outcome: TestOutcome): TestOutcome {
  return outcome.kind === 'passed' && imagesNotTested !== undefined ? notRun(imagesNotTested) : outcome;
}
