import type { Subject } from '#lib/facts/index.ts';
import type { Clock } from '#lib/kube/index.ts';
import type { OpenJournal } from '../journal/journal-store.ts';
import type { Emit, NodeState, OperationState } from '../model/event.ts';
import type { Entry, Journal, PauseChoice } from '../model/journal.ts';
import { operationLines } from '../model/operation-lines.ts';
import { SeenSince } from '../model/seen.ts';
import type { Step } from '../model/steps.ts';
import type { ServicesWatched } from '../services/services.ts';
import type { TigeraCondition } from './tigera-conditions.ts';

const heartbeatMs = 10_000;

/** Turns what a run does into the events of its stream, each once. */
export class RunEvents {
  private readonly emit: Emit;
  private readonly clock: Clock;
  private readonly nodes = new Map<string, string>();
  private readonly conditions = new Map<string, string>();
  /** What was seen since the journal was last written. */
  private readonly seen: SeenSince;
  private awaiting = '';
  private isBehind = false;
  private lastBeat = 0;

  constructor(emit: Emit, clock: Clock, journal: Journal) {
    this.emit = emit;
    this.clock = clock;
    this.seen = new SeenSince(journal);
  }

  snapshot(journal: OpenJournal): void {
    const { cluster, goal, state } = journal.current();
    this.emit({
      event: 'snapshot',
      data: { role: 'holder', cluster, goal, state, operations: operationLines(journal.plan, journal.current()) },
    });
  }

  operation(
    step: Step,
    state: OperationState,
    more: {
      awaiting?: string;
      heldUpBy?: Subject[];
      deadlineAt?: string;
      note?: string | null;
      outcome?: 'met' | 'unknown' | 'acknowledged';
    } = {},
  ): void {
    const { id, title, usualSeconds } = step;
    const { awaiting = null, heldUpBy = [], deadlineAt = null, note = null, outcome = null } = more;
    this.emit({
      event: 'operation',
      data: { ...step.key, id, title, state, awaiting, heldUpBy, usualSeconds, deadlineAt, note, outcome },
    });
  }

  waiting(step: Step, awaiting: string, heldUpBy: Subject[], deadlineAt: string): void {
    const waiting = JSON.stringify([step.key, awaiting, heldUpBy]);
    if (waiting === this.awaiting) return;
    this.awaiting = waiting;
    this.operation(step, 'waiting', { awaiting, heldUpBy, deadlineAt });
  }

  /** Tells the nodes whose state changed. */
  changedNodes(nodes: readonly NodeState[]): void {
    for (const node of nodes) {
      const shown = `${node.state}/${node.detail}`;
      if (this.nodes.get(node.name) === shown) continue;
      this.nodes.set(node.name, shown);
      this.seen.node(node, this.clock.now());
      this.emit({ event: 'node', data: node });
    }
  }

  /** Tells the conditions whose status changed; at the first look all of them. */
  changedConditions(conditions: readonly TigeraCondition[]): void {
    for (const condition of conditions) {
      const key = `${condition.object}/${condition.type}`;
      if (this.conditions.get(key) === condition.status) continue;
      this.conditions.set(key, condition.status);
      this.seen.condition(condition, this.clock.now());
      this.emit({ event: 'condition', data: condition });
    }
  }

  /** Adds to the entries what was seen of nodes and conditions since the last ones. */
  withSeen(entries: Entry[]): Entry[] {
    return entries.map((entry) => this.seen.with(entry));
  }

  problem(code: string, message: string, subjects: Subject[], choices: PauseChoice[]): void {
    this.emit({ event: 'problem', data: { code, message, subjects, choices } });
  }

  /** Tells once that the journal's copy in the state folder is out of date, and once that it is current again. */
  copied(fault: Error | null): void {
    if (this.isBehind === (fault !== null)) return;
    this.isBehind = fault !== null;
    this.log(
      fault === null
        ? "The state folder's copy of the journal is up to date again."
        : `The state folder's copy of the journal is out of date: ${fault.message} The run continues.`,
    );
  }

  services(data: ServicesWatched): void {
    this.emit({ event: 'services', data });
  }

  log(message: string): void {
    this.emit({ event: 'log', data: { message } });
  }

  beat(): void {
    const now = this.clock.monotonic();
    if (now - this.lastBeat < heartbeatMs) return;
    this.lastBeat = now;
    this.emit({ event: 'heartbeat', data: {} });
  }
}
