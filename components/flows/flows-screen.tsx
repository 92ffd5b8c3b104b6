'use client';

import { useCallback, useMemo, useState } from 'react';
import { ConnectionBadge } from '#components/live/connection-badge.tsx';
import { useLive } from '#components/live/use-live.ts';
import { useRemembered } from '#components/ui/browser/use-remembered.ts';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { filteredWords } from '#components/ui/filter/filtered-words.ts';
import { useFilter, useInAddress } from '#components/ui/filter/use-filter.ts';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Segments } from '#components/ui/segments.tsx';
import type { Slug } from '#lib/console/host.ts';
import { type FlowsEvent, type FlowsView, foldFlows } from '#lib/console/wire.ts';
import { atWindow, type Flow, flowsFor, isPast, parseQuery, queryText, windowOf } from '#lib/flows/in-browser.ts';
import { ChartPanel } from './chart/chart-panel.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FailureMessage } from './failure-message.tsx';
import { FlowTime } from './flow-time.tsx';
import { HeldBack } from './held-back.tsx';
import { KeptWords, NoneKept } from './kept-words.tsx';
import { ChangesLater, MapLater, SuggestLater, WhyLater } from './panels-later.tsx';
import { QueryField } from './query-field.tsx';
import { ColumnsMenu } from './table/columns-menu.tsx';
import { readColumns } from './table/flow-columns.tsx';
import { FlowTable } from './table/flow-table.tsx';
import { TopPanel } from './top-panel.tsx';
import { useFlowHistory } from './use-flow-history.ts';
import { useHeld } from './use-held.ts';
import { VerdictChips } from './verdict-chips.tsx';
import { ViewsMenu } from './views-menu.tsx';
import { pairText, type WhyPair } from './why/why-pair.ts';

/**
 * Parameters of the address. `q`: the query as typed. `show`: `top`, `map`, `why`, `changes` or `suggest` instead of the table. `first`: `denied` to list
 * denied flows first. `pair`: the pair of `why`. `run`: the run of `changes`. `of`: the workload of `suggest`.
 */
export type FlowsAddress = Readonly<Record<'q' | 'show' | 'first' | 'pair' | 'run' | 'of', string>>;

/**
 * Live flows, newest first, or flows of the history if the query asks for a time in the past. Updates pause while a row is open, so that the row stays
 * where it is.
 */
export function FlowsScreen({
  cluster,
  name,
  initial,
  address,
  renderedAt,
}: {
  cluster: Slug;
  name: string;
  initial: FlowsView;
  address: FlowsAddress;
  /** Milliseconds of the server's clock. */
  renderedAt: number;
}) {
  const takeOver = useTakeOver();
  const url = `/api/clusters/${encodeURIComponent(cluster)}/flows`;
  const { view, connection, pause, resume } = useLive<FlowsView, FlowsEvent>(url, initial, foldFlows);
  const [text, setText] = useFilter(address.q);
  const [shown, setShown] = useInAddress('show', address.show);
  const [first, setFirst] = useInAddress('first', address.first);
  const isDeniedFirst = first === 'denied';
  const [pair, setPair] = useInAddress('pair', address.pair);
  const [workload, setWorkload] = useInAddress('of', address.of);
  const [run, setRun] = useInAddress('run', address.run);
  const isTable = !['top', 'map', 'why', 'changes', 'suggest'].includes(shown);
  const [opened, setOpened] = useState<string | null>(null);
  const [columns, setColumns] = useRemembered('flow-columns', readColumns);
  const { query, problems } = useMemo(() => parseQuery(text), [text]);
  const { value: live, hold, isHeld, show } = useHeld(view.flows);
  const isOver = isPast(query);
  const { kept, failed, isReading, again } = useFlowHistory(url, isOver ? text : null);
  const flows = isOver ? (kept?.flows ?? []) : live;
  const found = useMemo(() => (isOver ? flows : flowsFor(flows, query)), [isOver, flows, query]);
  const rows = useMemo(() => (isDeniedFirst ? deniedFirst(found) : found), [isDeniedFirst, found]);
  const now = view.flows.reduce((latest, { end }) => Math.max(latest, end), 0) || Math.floor(renderedAt / 1000);
  const window = windowOf(query, now);
  const open = useCallback(
    (id: string | null) => {
      setOpened(id);
      if (id === null) resume();
      else pause();
    },
    [pause, resume],
  );
  const filterBy = (next: string) => {
    setText(next);
    // The opened flow is not in the other list.
    if (isPast(parseQuery(next).query) !== isOver) open(null);
  };
  const timeText = queryText({ ...query, terms: [] });
  /** Keeps the time of the history when a row's link changes the query. */
  const ask = (next: string) => filterBy(isOver ? `${next} ${timeText}` : next);
  const askWhy = (of: WhyPair) => {
    open(null);
    setPair(pairText(of));
    setShown('why');
  };
  const goLive = () => filterBy(queryText(atWindow(query, null)));
  return (
    <>
      <PageHead
        title="Flows"
        sub={
          <span className="flex min-h-8 flex-wrap items-center gap-x-2">
            {name} ·
            {isOver && window ? (
              <>
                <span>
                  <FlowTime at={window.since} /> to <FlowTime at={window.until} />, from the history
                </span>
                <Button kind="quiet" onClick={goLive}>
                  Back to live
                </Button>
              </>
            ) : (
              <>
                <ConnectionBadge
                  connection={connection}
                  stale={view.stale}
                  from="flows"
                  pause={pause}
                  resume={resume}
                  renderedAt={renderedAt}
                />
                {/* Nothing is behind while nothing comes; its room stays. */}
                <span className={view.stale === null ? '' : 'invisible'}>
                  30 to 45 s behind: Calico adds flows up in buckets of 15 s
                </span>
              </>
            )}
          </span>
        }
      />
      <div className="flex flex-col gap-4">
        <ChartPanel
          url={url}
          query={query}
          now={now}
          onWindow={(chosen) => filterBy(queryText(atWindow(query, chosen)))}
        />
        <Panel>
          <h2 className="sr-only">Flows, {isDeniedFirst ? 'denied first, then the newest' : 'newest first'}</h2>
          <div className="flex flex-col gap-2 px-4 pt-2.5 pb-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <QueryField url={url} text={text} onText={filterBy} flows={flows} />
              <p role="status" className="text-sm text-ink-2">
                {filteredWords([{ of: 'flow', all: flows.length, left: found.length }])}
              </p>
              <div className="ml-auto flex gap-2">
                <ExportMenu flows={rows} cluster={name} />
                <ViewsMenu query={text} onQuery={filterBy} />
              </div>
            </div>
            {problems.map(({ at, word, message }) => (
              <p key={at} role="status" className="text-sm text-amber">
                <code>{word}</code>: {message}.
              </p>
            ))}
            <p className="max-w-[120ch] text-sm text-ink-3">
              <code>from:shop/checkout to:kube-dns port:53 verdict:denied policy:default/ledger-db since:5m</code>;{' '}
              <code>!</code> leaves out. Filter here: the browser’s own search finds only rows in sight.
            </p>
          </div>
          <div {...hold}>
            <div className="grid items-center gap-x-6 gap-y-1 border-b border-line px-4 pb-2.5 lg:grid-cols-[minmax(0,1fr)_auto]">
              <div className="lg:max-[1399px]:col-span-2">
                <VerdictChips flows={isOver ? null : flows} query={query} onQuery={filterBy} />
              </div>
              {/* On its own line unless the window is wide: the words get longer as flows are held back, and must not move the controls. */}
              {!['why', 'changes', 'suggest'].includes(shown) && (
                <div className="min-[1400px]:order-last min-[1400px]:col-span-2">
                  {isOver ? (
                    <KeptWords history={kept} isReading={isReading} again={again} />
                  ) : (
                    <HeldBack
                      newest={view.flows}
                      shown={live}
                      isHeld={isHeld}
                      order={!isTable ? null : isDeniedFirst ? 'Denied first' : 'Newest first'}
                      onShow={show}
                    />
                  )}
                </div>
              )}
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 lg:col-start-2 lg:justify-end">
                {isTable && (
                  <label className="flex min-h-7 items-center gap-1.5 text-sm text-ink-2">
                    <input
                      type="checkbox"
                      ref={takeOver}
                      autoComplete="off"
                      checked={isDeniedFirst}
                      onChange={({ target }) => setFirst(target.checked ? 'denied' : '')}
                    />
                    Denied first
                  </label>
                )}
                {isTable && <ColumnsMenu chosen={columns} onChoose={setColumns} />}
                {/* Last in the row, so that its buttons do not move when one of them is pressed. */}
                <Segments
                  label="Show flows as"
                  choices={[
                    { value: '', words: 'Table' },
                    { value: 'top', words: 'Top' },
                    { value: 'map', words: 'Map' },
                    { value: 'why', words: 'Why' },
                    { value: 'changes', words: 'Changes' },
                  ]}
                  chosen={isTable ? '' : shown}
                  onChoose={setShown}
                />
              </div>
            </div>
            {shown === 'why' ? (
              <WhyLater url={url} time={timeText} flows={flows} text={pair} onText={setPair} />
            ) : shown === 'suggest' ? (
              <SuggestLater
                cluster={cluster}
                url={url}
                time={timeText}
                workload={workload}
                close={() => setShown('')}
              />
            ) : shown === 'changes' ? (
              <ChangesLater
                url={url}
                time={timeText}
                run={run}
                onRun={setRun}
                onQuery={(next) => {
                  setShown('');
                  ask(next);
                }}
              />
            ) : isOver && found.length === 0 ? (
              <NoneKept isReading={isReading} failed={failed} since={kept?.since ?? null} goLive={goLive} />
            ) : found.length === 0 ? (
              <NoFlowsHere isFiltered={flows.length > 0} clear={() => filterBy('')} />
            ) : shown === 'top' ? (
              <TopPanel flows={found} onQuery={ask} />
            ) : shown === 'map' ? (
              <MapLater flows={found} onQuery={ask} />
            ) : (
              <FlowTable
                flows={rows}
                viewKey={`${text} ${first}`}
                columns={columns}
                days={isOver ? 'any' : 'today'}
                opened={opened}
                onOpen={open}
                onQuery={ask}
                onWhy={askWhy}
                onSuggest={(of) => {
                  open(null);
                  setWorkload(of);
                  setShown('suggest');
                }}
              />
            )}
          </div>
        </Panel>
        {/* At the lower edge of the window, where they push nothing away. */}
        <div className="sticky bottom-3 z-10 flex flex-col gap-2 empty:hidden [&>*]:rounded-md [&>*]:shadow-float">
          {view.stale && (
            <Notice state="unknown" title="No flows at the moment">
              <FailureMessage message={view.stale.message} />
            </Notice>
          )}
          {view.gaps.length > 0 && (
            <Notice state="warn" title="Some flows were lost">
              <p>
                Calico keeps them in memory, and its aggregator was replaced{' '}
                {view.gaps.length === 1 ? 'once' : `${view.gaps.length} times`}.
              </p>
            </Notice>
          )}
        </div>
      </div>
    </>
  );
}

function NoFlowsHere({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) return <Empty title="No flows yet">Flows arrive 30 to 45 s after their connections.</Empty>;
  return (
    <Empty title="No flow matches" actions={<Button onClick={clear}>Clear the filter</Button>}>
      The page follows the newest 2,000 flows. For older ones, choose a time in the chart, or type <code>since:1h</code>
      .
    </Empty>
  );
}

/** The newest of each first. */
const deniedFirst = (flows: readonly Flow[]) =>
  flows.toSorted((one, other) => Number(other.verdict === 'denied') - Number(one.verdict === 'denied'));
