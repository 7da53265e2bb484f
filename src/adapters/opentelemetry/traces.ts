/**
 * Sends traces of tests to an OpenTelemetry collector, with ids derived from the test, so that the spans of
 * all replicas form one trace.
 */

import { createHash } from 'node:crypto';
import { ROOT_CONTEXT, type Span, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { SPANS, type SpanName, type Traces } from '../../ports/traces.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { seldom } from '../../telemetry/seldom.ts';

const SERVICE = 'deliverability';

/** Number of spans that may wait to be sent. More are dropped, and nothing waits for them. */
const QUEUE = 8192;

/** Pause between two exports, and the time limit for one export, in milliseconds. */
const SEND_MS = 2000;

interface Options {
  /** The URL of an OTLP collector over HTTP, without the path. */
  readonly endpoint: string;
  readonly replica: string;
  readonly logger: Logger;
}

/** Spans in which we serve someone's request. The other spans are parts of these. */
const SERVED: readonly SpanName[] = ['test created', 'mail transaction', 'report request'];

/**
 * Sends spans to a collector. Importing this file loads OpenTelemetry, so do it only if an endpoint is set.
 *
 * The ids of a trace and of its first span are derived from the test, so that replicas and restarts do not
 * need to pass anything on. They reveal nothing about the test to anyone who does not know its id.
 */
export function openTraces({ endpoint, replica, logger }: Options) {
  const random = new RandomIdGenerator();
  let root: Root | undefined;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': SERVICE, 'service.instance.id': replica }),
    idGenerator: {
      generateTraceId: () => root?.traceId ?? random.generateTraceId(),
      generateSpanId: () => root?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: warning(
          new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS }),
          logger,
        ),
        maxQueueSize: QUEUE,
        scheduledDelayMillis: SEND_MS,
        // This limit is longer, so that the exporter itself reports why nothing was accepted.
        exportTimeoutMillis: 2 * SEND_MS,
      }),
    ],
  });
  const tracer = provider.getTracer(SERVICE);
  const open = new Map<string, Span>();

  function start(name: SpanName, testId: string, startTime?: number): Span {
    const kind = SERVED.includes(name) ? SpanKind.SERVER : SpanKind.INTERNAL;
    const options = { kind, attributes: { test_id: testId }, ...(startTime && { startTime }) };
    const ids = rootOf(testId);
    if (name === 'test created') {
      root = ids;
      const first = tracer.startSpan(name, { ...options, root: true });
      root = undefined;
      return first;
    }
    const above = SPANS[name];
    const parent =
      (above && open.get(`${above} ${testId}`)?.spanContext()) ??
      ({ ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true } as const);
    return tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent));
  }

  const traces: Traces = {
    begin(name, testId, since) {
      const span = start(name, testId, since);
      const key = `${name} ${testId}`;
      open.set(key, span);
      return (attributes = {}) => {
        // A span may be open twice, for example if an email is sent to two replicas at once.
        if (open.get(key) === span) open.delete(key);
        span.setAttributes(attributes).end();
      };
    },
  };
  return { ...traces, stop: () => provider.shutdown().catch(() => undefined) };
}

interface Root {
  readonly traceId: string;
  readonly spanId: string;
}

function rootOf(testId: string): Root {
  const digest = createHash('sha256').update(`trace ${testId}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** Warns now and then that a collector accepts nothing, because the exporter drops spans silently. */
function warning(exporter: SpanExporter, logger: Logger): SpanExporter {
  const warn = seldom((err: Error) =>
    logger.warn({ err }, 'the collector does not accept spans; they are dropped'),
  );
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) warn(result.error);
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
