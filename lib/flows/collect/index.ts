export { clickHouseSink } from './clickhouse-sink.ts';
export { type CollectorNews, collectFlows } from './collect-flows.ts';
export { type Collected, type Sink, SinkError } from './collected.ts';
export { ndjsonFile } from './ndjson-file.ts';
export { otlpHeaders } from './otlp/otlp-headers.ts';
export { otlpAddress, otlpLogs } from './otlp/otlp-logs.ts';
export { type Position, readPosition } from './position.ts';
