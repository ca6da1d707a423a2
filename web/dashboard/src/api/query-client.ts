import { notifications } from "@mantine/notifications";
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { describeProblem } from "./problem.ts";
import { refreshEvery } from "./refresh-every.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The form that sent it shows what is wrong itself. */
      readonly isShownByForm?: boolean;
    };
  }
}

/** What was read stays good for a few seconds; the client underneath sends again what failed, so nothing does here. */
export function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: false, refetchInterval: refreshEvery(null) },
      mutations: { retry: false },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isShownByForm === true) return;
        const { title, detail } = describeProblem(error);
        notifications.show({ color: "red", title, message: detail, autoClose: 10_000 });
      },
    }),
  });
}

/** What was changed is read anew, also where it is read for the first time just now: that answer may be from before the change. */
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
