import { notifications } from "@mantine/notifications";
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { describeProblem } from "./problem.ts";
import { ReauthenticationCanceled } from "./reauthentication-canceled.ts";
import { refreshEvery } from "./refresh-every.ts";
import { SignedOut } from "./signed-out.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The form shows the error itself, so no notification is needed. */
      readonly isShownByForm?: boolean;
    };
  }
}

/** Data stays fresh for a few seconds. Queries do not retry because the API client already does. */
export function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: false, refetchInterval: refreshEvery(null) },
      mutations: { retry: false },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isShownByForm === true) return;
        if (error instanceof ReauthenticationCanceled || error instanceof SignedOut) return;
        const { title, detail } = describeProblem(error);
        notifications.show({ color: "red", title, message: detail, autoClose: 10_000 });
      },
    }),
  });
}

/** Invalidation also restarts a query that is loading for the first time: its response may predate the change. */
class FreshQueryClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters))
      if (query.isActive() && query.state.data === undefined) void query.cancel({ silent: true });
    return super.invalidateQueries(filters, options);
  }
}
