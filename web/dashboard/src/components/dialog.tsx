import { Modal, type ModalProps } from "@mantine/core";
import { createContext, useContext, useEffect, useState } from "react";
import { useReturnFocus } from "./use-return-focus.ts";

const SetBusy = createContext<(isBusy: boolean) => void>(() => undefined);

/**
 * A dialog that cannot be closed while its request is pending: once closed it could not show an error, and the answer would reach
 * the dialog opened next.
 */
export function Dialog({ onClose, ...props }: ModalProps) {
  const [isBusy, setBusy] = useState(false);
  useReturnFocus(props.opened);
  return (
    <SetBusy value={setBusy}>
      <Modal
        {...props}
        returnFocus={false}
        onClose={() => {
          if (!isBusy) onClose();
        }}
      />
    </SetBusy>
  );
}

/** Prevents the surrounding dialog from closing while `isBusy`. */
export function useBusyDialog(isBusy: boolean): void {
  const setBusy = useContext(SetBusy);
  useEffect(() => {
    setBusy(isBusy);
    return () => {
      setBusy(false);
    };
  }, [isBusy, setBusy]);
}
