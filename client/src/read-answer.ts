import { type AnyResource, resolveIncluded } from "./resolve-included.ts";
import type { Answer, PageAnswer, ResponseInfo } from "./route-types.ts";
import type { Sent } from "./send-patiently.ts";

type Document<Data> = {
  readonly data: Data;
  readonly included?: readonly AnyResource[];
  readonly links?: { readonly next?: string | null };
  readonly meta?: Readonly<Record<string, unknown>>;
};

/** A document of one resource, as a caller looks at it. */
export function readAnswer(sent: Sent, include: readonly string[]): Answer<unknown> {
  const {
    data,
    included = [],
    meta = {},
  } = (sent.document ?? { data: null }) as Document<AnyResource>;
  const whole = include.length === 0 ? data : resolveIncluded(data, include, [...included, data]);
  return { data: whole, meta, response: responseOf(sent) };
}

/** A page of a list. The cursor is taken out of `links.next`, whose host is the service's idea of its address. */
export function readPage(sent: Sent, include: readonly string[]): PageAnswer<unknown> {
  const document = sent.document as Document<readonly AnyResource[]>;
  const { data, included = [], links, meta } = document;
  const known = [...included, ...data];
  const next = links?.next ?? null;
  const query = next === null ? "" : (next.split("?")[1] ?? "");
  return {
    data: data.map((resource) => resolveIncluded(resource, include, known)),
    pagination: meta?.["pagination"] ?? {},
    next: new URLSearchParams(query).get("page[after]"),
    response: responseOf(sent),
  };
}

/** Of the HTTP answer, what is worth keeping. */
export function responseOf({ status, headers, attempts }: Sent): ResponseInfo {
  return { status, headers, attempts, requestId: headers.get("x-request-id") };
}
