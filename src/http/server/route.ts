import type { Principal } from "../../accounts/principal.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { ResourceObject } from "../../platform/kernel/resource-object.ts";
import type {
  DocumentDefinition,
  DocumentReading,
  InputOf,
} from "../../platform/resources/define-document.ts";
import type { ResourceDefinition, ResourceOf } from "../../platform/resources/define-resource.ts";
import type { PlainRoute } from "./plain-route.ts";
import type { RequestContext, ThrottleBudget } from "./request-context.ts";

/** A request of an authenticated caller. `id` is the path's `{id}` and may name a row; other texts are 404. */
export type ApiRequest = RequestContext & { readonly principal: Principal; readonly id: string };

/** A handler's response besides the status: one resource, and optionally headers and `meta`. */
export type One<Resource extends ResourceDefinition> = {
  readonly data: ResourceOf<Resource>;
  readonly meta?: JsonObject;
  /** A list sends the header several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An earlier request with the same idempotency key created the object, so the status is 200. */
  readonly isRepeat?: boolean;
};

export type Described = {
  /** With trailing slash, `{id}` for a parameter: `/deposit/{id}/`. */
  readonly path: string;
  /** A few words for the documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly throttle?: ThrottleBudget;
  /** See `ApiRoute`. */
  readonly provesSecret?: true;
  readonly assertAllowed?: NonNullable<ApiRoute["assertAllowed"]>;
};

/** What the server knows of a JSON:API route, whichever builder made it. */
export type ApiRoute = {
  readonly kind: "api";
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly throttle: ThrottleBudget;
  /** A success shows that the caller has a secret, so it is no guess and is taken off the count of the budget. */
  readonly provesSecret: boolean;
  readonly resource: ResourceDefinition;
  /** Null: a body is ignored. */
  readonly document: DocumentDefinition | null;
  /** The handler receives a `DocumentReading` with the errors of fields and answers them itself. */
  readonly answersFaults: boolean;
  readonly status: 200 | 201 | 204;
  /** A create that answers a repeated request with the first one's object and 200. */
  readonly repeats: boolean;
  /** Further request headers that the route reads, for the documentation. */
  readonly requestHeaders: readonly HeaderDescription[];
  /** Its own query parameters; the handler finds them among `params`. */
  readonly queryParameters: QueryParameters;
  /** Members besides `actions.GET` and `actions.POST` in the OPTIONS response. */
  readonly custom: (() => Promise<JsonObject>) | null;
  /** Rejects callers that the route refuses whatever the fields are; runs between the document's shape and its fields. */
  readonly assertAllowed: ((principal: Principal) => void) | null;
  /** Runs before the body is read, so a missing header is reported before a wrong body. */
  readonly beforeBody: ((context: RequestContext) => void) | null;
  readonly handle:
    | {
        readonly answers: "page";
        readonly run: (call: Call, query: ListQuery) => Promise<Page<ResourceObject>>;
      }
    | {
        readonly answers: "one";
        /** `attributes`: the names of all attributes that the document gives, whether or not the route writes them. */
        readonly run: (
          call: Call,
          input: unknown,
          attributes: ReadonlySet<string>,
        ) => Promise<One<ResourceDefinition>>;
      }
    | { readonly answers: "nothing"; readonly run: (call: Call) => Promise<void> };
};

/** A request on its way into a handler. */
export type Call = { readonly context: RequestContext; readonly principal: Principal | null };

export type HeaderDescription = {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
};

export type QueryParameters = Readonly<
  Record<string, { readonly choices: readonly string[]; readonly description: string }>
>;

export type Route = ApiRoute | PlainRoute;

/** `GET` of a collection: `list` returns a page for a query that the resource's definition allows. */
export function listRoute<const Resource extends ResourceDefinition>(
  route: Described & {
    readonly resource: Resource;
    readonly list: (request: ApiRequest, query: ListQuery) => Promise<Page<ResourceOf<Resource>>>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "GET", "read"),
    handle: { answers: "page", run: (call, query) => route.list(known(call), query) },
  };
}

/** `GET` of one object; `find` returns null when it does not exist for the caller (404). */
export function getRoute<const Resource extends ResourceDefinition>(
  route: Described & {
    readonly resource: Resource;
    readonly find: (request: ApiRequest) => Promise<ResourceOf<Resource> | null>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "GET", "read"),
    handle: { answers: "one", run: async (call) => found(await route.find(known(call))) },
  };
}

/** `GET` of a view of one object, with its own query parameters. `view` may return `meta`; null is 404. */
export function viewRoute<const Resource extends ResourceDefinition>(
  route: Described & {
    readonly resource: Resource;
    readonly parameters: QueryParameters;
    readonly view: (request: ApiRequest) => Promise<One<Resource> | null>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "GET", "read"),
    queryParameters: route.parameters,
    handle: {
      answers: "one",
      run: async (call) => (await route.view(known(call))) ?? notFound(),
    },
  };
}

/** `POST` to a collection: 201 with `Location`. */
export function createRoute<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition,
>(
  route: Described & {
    readonly resource: Resource;
    readonly document: Document;
    readonly custom?: () => Promise<JsonObject>;
    readonly requestHeaders?: readonly HeaderDescription[];
    readonly beforeBody?: (context: RequestContext) => void;
    readonly create: (
      request: ApiRequest,
      input: InputOf<Document>,
    ) => Promise<ResourceOf<Resource>>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "POST", "create"),
    document: route.document,
    status: 201,
    custom: route.custom ?? null,
    requestHeaders: route.requestHeaders ?? [],
    beforeBody: route.beforeBody ?? null,
    handle: {
      answers: "one",
      run: async (call, input) => ({
        data: await route.create(known(call), input as InputOf<Document>),
      }),
    },
  };
}

/**
 * `POST` to a collection whose handler combines the errors of fields with rows that take precedence over them (a used idempotency
 * key) or stand beside them. It rejects with all faults. 201 with `Location`.
 */
export function createRouteWithFaults<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition,
>(
  route: Omit<Parameters<typeof createRoute<Resource, Document>>[0], "create"> & {
    readonly repeats?: true;
    readonly create: (
      request: ApiRequest,
      reading: DocumentReading<Document>,
    ) => Promise<Pick<One<Resource>, "data" | "isRepeat">>;
  },
): ApiRoute {
  const { create, repeats = false, ...described } = route;
  return {
    ...createRoute({ ...described, create: () => notFound() }),
    answersFaults: true,
    repeats,
    handle: {
      answers: "one",
      run: (call, reading) => create(known(call), reading as DocumentReading<Document>),
    },
  };
}

/**
 * `PATCH` of one object with a partial document; null is 404. Of `attributes`, the names of all attributes that the document gives, the
 * read-only ones have their current value.
 */
export function patchRoute<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition & { partial: true },
>(
  route: Described & {
    readonly resource: Resource;
    readonly document: Document;
    readonly patch: (
      request: ApiRequest,
      input: InputOf<Document>,
      attributes: ReadonlySet<string>,
    ) => Promise<ResourceOf<Resource> | null>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "PATCH", "create"),
    document: { id: "path", ...route.document },
    handle: {
      answers: "one",
      run: async (call, input, attributes) =>
        found(await route.patch(known(call), input as InputOf<Document>, attributes)),
    },
  };
}

/** `POST` of an action that answers 200: `/deposit/{id}/cancel/`. Without a document definition, a body is ignored. */
export function actionRoute<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition,
>(
  route: Described & {
    readonly resource: Resource;
    readonly document?: Document;
    readonly act: (
      request: ApiRequest,
      input: InputOf<Document>,
    ) => Promise<ResourceOf<Resource> | null>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "POST", "create"),
    document: route.document === undefined ? null : { id: "ignored", ...route.document },
    handle: {
      answers: "one",
      run: async (call, input) => found(await route.act(known(call), input as InputOf<Document>)),
    },
  };
}

/** The same with a handler that combines the errors of fields itself (see `createRouteWithFaults`) and may return `meta`. */
export function actionRouteWithFaults<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition,
>(
  route: Described & {
    readonly resource: Resource;
    readonly document: Document;
    readonly requestHeaders?: readonly HeaderDescription[];
    readonly beforeBody?: (context: RequestContext) => void;
    readonly act: (
      request: ApiRequest,
      reading: DocumentReading<Document>,
    ) => Promise<One<Resource> | null>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "POST", "create"),
    document: { id: "ignored", ...route.document },
    answersFaults: true,
    requestHeaders: route.requestHeaders ?? [],
    beforeBody: route.beforeBody ?? null,
    handle: {
      answers: "one",
      run: async (call, reading) =>
        (await route.act(known(call), reading as DocumentReading<Document>)) ?? notFound(),
    },
  };
}

/** `POST` without authentication that answers 200: `/token/`. Without a document definition, a body is ignored. */
export function publicRoute<
  const Resource extends ResourceDefinition,
  const Document extends DocumentDefinition,
>(
  route: Described & {
    readonly throttle: ThrottleBudget;
    readonly resource: Resource;
    readonly document?: Document;
    readonly answer: (context: RequestContext, input: InputOf<Document>) => Promise<One<Resource>>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "POST", route.throttle),
    isPublic: true,
    document: route.document === undefined ? null : { id: "ignored", ...route.document },
    handle: {
      answers: "one",
      run: ({ context }, input) => route.answer(context, input as InputOf<Document>),
    },
  };
}

/** The common part of routes of a described resource. */
export function apiRoute(
  route: Described & { readonly resource: ResourceDefinition },
  method: ApiRoute["method"],
  budget: ThrottleBudget,
): Omit<ApiRoute, "handle"> {
  return {
    kind: "api",
    method,
    path: route.path,
    summary: route.summary,
    description: route.description ?? "",
    isPublic: false,
    throttle: route.throttle ?? budget,
    provesSecret: route.provesSecret === true,
    resource: route.resource,
    document: null,
    answersFaults: false,
    status: 200,
    repeats: false,
    requestHeaders: [],
    queryParameters: {},
    custom: null,
    assertAllowed: route.assertAllowed ?? null,
    beforeBody: null,
  };
}

/** The request with its caller. `answerCall` has checked that the path's id may name a row. */
export function known({ context, principal }: Call): ApiRequest {
  const id = context.params["id"] ?? "";
  return { ...context, principal: present(principal, "the principal of a private route"), id };
}

function found<Resource extends ResourceDefinition>(
  data: ResourceOf<Resource> | null,
): One<Resource> {
  return data === null ? notFound() : { data };
}

function notFound(): never {
  return reject("notFound", "No object with this id exists.");
}
