import type { FastifyReply, FastifyRequest } from "fastify";
import { traced } from "../../platform/kernel/tracing.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * A handler whose requests are spans, named by method and path pattern. A `traceparent` of the caller is linked and not continued:
 * anyone could put its requests into someone else's trace, and decide what is recorded.
 */
export function traceRequests(path: string, handler: Handler): Handler {
  return (request, reply) => {
    const { traceparent } = request.headers;
    return traced(
      {
        name: `${request.method} ${path}`,
        kind: "server",
        links: typeof traceparent === "string" ? [traceparent] : [],
        attributes: { "http.route": path, "sluice.request_id": request.id },
      },
      async ({ add }) => {
        const sent = await handler(request, reply);
        add({ "http.response.status_code": reply.statusCode });
        return sent;
      },
    );
  };
}
