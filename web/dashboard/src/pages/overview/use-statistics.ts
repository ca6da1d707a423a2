import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { bucketStarts, type SpanName, spans } from "./buckets.ts";

/** Statistics change slowly, and each query reads a whole span. */
const refreshMs = 60_000;

/** The bucket starts of a span; they move on when a day ends. */
export function useBuckets(span: SpanName): readonly string[] {
  const clock = useQuery({
    queryKey: ["buckets", span],
    queryFn: () => bucketStarts(span, Date.now()),
    initialData: () => bucketStarts(span, Date.now()),
    refetchInterval: refreshEvery(refreshMs),
  });
  return clock.data;
}

function filterOf(span: SpanName, starts: readonly string[]) {
  return { from: starts[0], bucket: spans[span].size };
}

/** Received and paid-out amounts by currency and direction. */
export function useVolume(span: SpanName, fiat: string) {
  const starts = useBuckets(span);
  return useQuery({
    queryKey: ["statistics", "volume", span, starts[0], fiat],
    queryFn: async ({ signal }) =>
      Array.fromAsync(
        api.each("/statistics/volume/", { filter: { ...filterOf(span, starts), fiat }, signal }),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
}

/** Commission and network fees. */
export function useFees(span: SpanName, fiat: string) {
  const starts = useBuckets(span);
  return useQuery({
    queryKey: ["statistics", "fee", span, starts[0], fiat],
    queryFn: async ({ signal }) =>
      Array.fromAsync(
        api.each("/statistics/fee/", { filter: { ...filterOf(span, starts), fiat }, signal }),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
}

/** Confirmation times of deposits by currency. */
export function useConfirmationTimes(span: SpanName) {
  const starts = useBuckets(span);
  return useQuery({
    queryKey: ["statistics", "confirmation-time", span, starts[0]],
    queryFn: async ({ signal }) =>
      Array.fromAsync(
        api.each("/statistics/confirmation-time/", {
          filter: { ...filterOf(span, starts), direction: "deposit" },
          signal,
        }),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
}

/** Callback deliveries by outcome. */
export function useCallbackStatistic(span: SpanName) {
  const starts = useBuckets(span);
  return useQuery({
    queryKey: ["statistics", "callback", span, starts[0]],
    queryFn: async ({ signal }) =>
      Array.fromAsync(
        api.each("/statistics/callback/", { filter: filterOf(span, starts), signal }),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
}
