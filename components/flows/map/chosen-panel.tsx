import { Button } from '#components/ui/button.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import { bytesText, type FlowMap, type MapEdge, type MapPlace, placeQuery } from '#lib/flows/in-browser.ts';

/** Details of the pair or workload chosen on the map. */
export function ChosenPanel({
  map,
  chosen,
  onQuery,
  close,
}: {
  map: FlowMap;
  chosen: string | null;
  onQuery: (query: string) => void;
  close: () => void;
}) {
  const edge = map.edges.find(({ id }) => id === chosen);
  const place = map.places.find(({ id }) => id === chosen);
  if (!edge && !place) return null;
  return (
    <section aria-label="Chosen on the map" className="w-80 shrink-0 overflow-y-auto border-l border-line">
      <header className="flex items-center justify-between border-b border-line px-4 py-1.5">
        <h3 className="text-sm font-semibold text-ink-2">Chosen</h3>
        <Button kind="quiet" onClick={close}>
          Close
        </Button>
      </header>
      {edge ? <Pair edge={edge} onQuery={onQuery} /> : place && <Place place={place} map={map} onQuery={onQuery} />}
    </section>
  );
}

function Pair({ edge, onQuery }: { edge: MapEdge; onQuery: (query: string) => void }) {
  const { from, to, allowed, denied, bytes, ports, decidedBy, query } = edge;
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <p className="font-mono text-xs break-words">
        <b className="font-semibold">{from.text}</b>
        <br />→ {to.text}
      </p>
      {denied > 0 ? (
        <p>
          <StateMark state="bad">Denied</StateMark>
          <span className="text-ink-2">
            {' '}
            {thousands(denied)} {denied === 1 ? 'time' : 'times'},{' '}
            {allowed === 0 ? 'none allowed' : `${thousands(allowed)} allowed`}
          </span>
        </p>
      ) : (
        <p className="text-ink-2">{counted(allowed, 'connection')} allowed, none denied</p>
      )}
      <dl className="grid grid-cols-[6rem_1fr] gap-y-1">
        <dt className="text-ink-3">{ports.length === 1 ? 'Port' : 'Ports'}</dt>
        <dd className="min-w-0 break-words">{ports.join(', ')}</dd>
        {decidedBy.length > 0 && (
          <>
            <dt className="text-ink-3">Denied by</dt>
            <dd className="min-w-0 break-words font-mono text-xs">{decidedBy.join(', ')}</dd>
          </>
        )}
        <dt className="text-ink-3">Bytes</dt>
        <dd>{bytesText(bytes)}</dd>
      </dl>
      {query !== null && (
        <div>
          <Button onClick={() => onQuery(query)}>Only this pair</Button>
        </div>
      )}
    </div>
  );
}

function Place({ place, map, onQuery }: { place: MapPlace; map: FlowMap; onQuery: (query: string) => void }) {
  const to = map.edges.filter((edge) => edge.from.id === place.id);
  const from = map.edges.filter((edge) => edge.to.id === place.id);
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <p className="font-mono text-xs font-semibold break-words">{place.text}</p>
      <Ends title="Connections to" ends={to.map((edge) => ({ edge, text: edge.to.text }))} />
      <Ends title="Connections from" ends={from.map((edge) => ({ edge, text: edge.from.text }))} />
      {/* A place without a name of its own has no query that selects only its flows. */}
      {(place.name !== null || place.text === place.namespace) && (
        <div>
          <Button onClick={() => onQuery(placeQuery(place))}>Only its flows</Button>
        </div>
      )}
    </div>
  );
}

function Ends({ title, ends }: { title: string; ends: readonly { readonly edge: MapEdge; readonly text: string }[] }) {
  if (ends.length === 0) return null;
  return (
    <div>
      <h4 className="text-sm text-ink-3">{title}</h4>
      <ul>
        {ends.map(({ edge, text }) => (
          <li key={edge.id} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 font-mono text-xs break-words">{text}</span>
            <span className={`shrink-0 text-sm tabular-nums ${edge.denied > 0 ? 'text-red' : 'text-ink-3'}`}>
              {edge.denied > 0 ? `${thousands(edge.denied)} denied` : thousands(edge.allowed)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
