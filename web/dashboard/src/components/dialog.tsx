import { Modal, type ModalProps } from "@mantine/core";
import { createContext, useContext, useEffect, useState } from "react";

const SetBusy = createContext<(isBusy: boolean) => void>(() => undefined);

/**
 * A dialog that stays while what it sent is not answered: closed before, it could not show a refusal, and the answer would come
 * to whatever is opened in its place.
 */
export function Dialog({ onClose, ...props }: ModalProps) {
  const [isBusy, setBusy] = useState(false);
  return (
    <SetBusy value={setBusy}>
      <Modal
        {...props}
        onClose={() => {
          if (!isBusy) onClose();
        }}
      />
    </SetBusy>
  );
}

/** Keeps the dialog around this from being closed while `isBusy`. */
export function useBusyDialog(isBusy: boolean): void {
  const setBusy = useContext(SetBusy);
  useEffect(() => {
    setBusy(isBusy);
    return () => {
      setBusy(false);
    };
  }, [isBusy, setBusy]);
}
