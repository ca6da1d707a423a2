import { type AnyResource, resolveIncluded } from "./resolve-included.ts";
import type { PageResponse, ResourceResponse, ResponseInfo } from "./route-types.ts";
import type { Sent } from "./send-with-retries.ts";

type Document<Data> = {
  readonly data: Data;
  readonly included?: readonly AnyResource[];
  readonly links?: { readonly next?: string | null };
  readonly meta?: Readonly<Record<string, unknown>>;
};

/** Reads a document of one resource and resolves its includes. */
export function readResource(sent: Sent, include: readonly string[]): ResourceResponse<unknown> {
  const {
    data,
    included = [],
    meta = {},
  } = (sent.document ?? { data: null }) as Document<AnyResource>;
  const whole = include.length === 0 ? data : resolveIncluded(data, include, [...included, data]);
  return { data: whole, meta, response: responseInfo(sent) };
}

/** Reads a page of a list. Only the cursor of `links.next` is used, because its host may differ from the client's base URL. */
export function readPage(sent: Sent, include: readonly string[]): PageResponse<unknown> {
  const document = sent.document as Document<readonly AnyResource[]>;
  const { data, included = [], links, meta } = document;
  const known = [...included, ...data];
  const next = links?.next ?? null;
  const query = next === null ? "" : (next.split("?")[1] ?? "");
  return {
    data: data.map((resource) => resolveIncluded(resource, include, known)),
    pagination: meta?.["pagination"] ?? {},
    next: new URLSearchParams(query).get("page[after]"),
    response: responseInfo(sent),
  };
}

/** Returns the metadata of the HTTP response. */
export function responseInfo({ status, headers, attempts }: Sent): ResponseInfo {
  return { status, headers, attempts, requestId: headers.get("x-request-id") };
}
