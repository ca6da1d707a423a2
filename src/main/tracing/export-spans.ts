import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import {
  type CurrentMessage,
  currentChannel,
  isTraceparent,
  type MeasuredMessage,
  measuredChannel,
  type SpanMessage,
  spanChannel,
} from "../../platform/kernel/tracing.ts";

export type ExportSettings = {
  /** The collector's base URL; traces go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces that is recorded, 0 to 1. */
  readonly sampleRatio: number;
  /** `sluice-api`, `sluice-worker`. */
  readonly service: string;
  readonly instance: string;
};

const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
} as const;

const exportTimeoutMs = 10_000;
const exportEveryMs = 1_000;

/**
 * Records the spans that this process announces and sends them to a collector (OTLP over HTTP), in the background: a collector that
 * is slow or away costs spans and delays nothing. Resolves `close` once the spans so far are sent, or given up.
 */
export function exportSpans(settings: ExportSettings): { readonly close: () => Promise<void> } {
  const providers = new Map<string, TracerProvider>();
  const tracerOf = (service: string): Tracer => {
    const provider = providers.get(service) ?? createProvider({ ...settings, service });
    providers.set(service, provider);
    return provider.getTracer("sluice");
  };
  const around = new AsyncLocalStorage<SpanMessage>();
  const running = new WeakMap<SpanMessage, Span>();
  const currentContext = (): SpanContext | undefined => {
    const message = around.getStore();
    return message === undefined ? undefined : running.get(message)?.spanContext();
  };

  const begin = (message: SpanMessage): SpanMessage => {
    const { name, kind, causes = [], links = [], attributes = {} } = message;
    const [cause, ...others] = causes.filter(isTraceparent).map(parseTraceparent);
    const more = [...others, ...links.filter(isTraceparent).map(parseTraceparent)];
    const span = tracerOf(settings.service).startSpan(
      name,
      {
        kind: kinds[kind],
        attributes,
        links: more.map((context): Link => ({ context })),
      },
      contextOf(cause ?? currentContext()),
    );
    message.notes = {
      add: (added) => {
        span.setAttributes(added);
      },
    };
    running.set(message, span);
    return message;
  };
  const end = (message: SpanMessage): void => {
    const span = running.get(message);
    span?.end();
  };
  const fail = (message: SpanMessage): void => {
    const span = running.get(message);
    span?.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(message.error) });
  };
  const onCurrent = (message: unknown): void => {
    const context = currentContext();
    if (context !== undefined) (message as CurrentMessage).traceparent = formatTraceparent(context);
  };
  const onMeasured = (message: unknown): void => {
    const { name, service, startedAt, endedAt } = (message as MeasuredMessage).span;
    const span = tracerOf(service).startSpan(
      name,
      { kind: SpanKind.SERVER, startTime: hrTime(startedAt) },
      contextOf(currentContext()),
    );
    span.end(hrTime(endedAt));
  };
  const handlers = { asyncEnd: end, error: fail };
  spanChannel.start.bindStore(around, begin);
  spanChannel.subscribe(handlers as Parameters<typeof spanChannel.subscribe>[0]);
  currentChannel.subscribe(onCurrent);
  measuredChannel.subscribe(onMeasured);
  return {
    close: async () => {
      currentChannel.unsubscribe(onCurrent);
      measuredChannel.unsubscribe(onMeasured);
      spanChannel.start.unbindStore(around);
      spanChannel.unsubscribe(handlers as Parameters<typeof spanChannel.subscribe>[0]);
      // A collector that is away must not fail or hold up the stop.
      await Promise.allSettled([...providers.values()].map((provider) => provider.shutdown()));
    },
  };
}

function createProvider({
  endpoint,
  headers,
  sampleRatio,
  service,
  instance,
}: ExportSettings): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.instance.id": instance }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
}

function contextOf(parent: SpanContext | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

function parseTraceparent(text: string): SpanContext {
  const [, traceId = "", spanId = "", flags = "00"] = text.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Seconds and nanoseconds, since a double does not hold nanoseconds. */
function hrTime(micros: number): [number, number] {
  const seconds = Math.floor(micros / 1_000_000);
  return [seconds, (micros - seconds * 1_000_000) * 1_000];
}
