// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Sweeps deposit addresses into the one destination that is part of this code. A deposit address delegates to it (EIP-7702);
/// `sweep` then runs at the deposit address, and `sweepMany`, at the contract itself, calls `sweep` of many addresses.
///
/// Value moves only to the destination, whatever the caller. Only one account may call it, because funds that strangers move to
/// the destination would look like new money in the books. That account has no other power. There is no storage, owner or
/// initializer that a first caller could take, and no reentrancy. Nothing is returned, since results could not be trusted:
/// balances show what moved.
contract SweepDelegate {
    /// Deposit addresses that hold the same assets; the zero address stands for the chain's coin.
    struct Group {
        address[] assets;
        address[] deposits;
    }

    /// By another account than the one, or at a deposit address, where it would choose whom the address calls.
    error NotToBeCalled();
    /// Less gas than the worst asset may use: going on could starve an honest one. Also keeps gas estimates honest.
    error TooLittleGas();

    /// Gas of one asset beside the two calls that it is given `gasEach` for together, and of one deposit beside its assets.
    uint256 private constant assetGas = 16_000;
    uint256 private constant depositGas = 12_000;

    address private immutable destination;
    address private immutable caller;
    address private immutable contractItself;

    constructor(address to, address by) {
        require(to != address(0) && to.code.length == 0);
        destination = to;
        caller = by;
        contractItself = address(this);
    }

    receive() external payable {}

    /// An address without code takes the coin with any data; so does one that is delegated here.
    fallback() external payable {}

    /// Moves all that this address holds of each asset. An asset that fails, reverts, returns without end or burns its gas
    /// (at most `gasEach`) keeps no other from moving.
    function sweep(address[] calldata assets, uint256 gasEach) external {
        if (msg.sender != contractItself) revert NotToBeCalled();
        for (uint256 i = 0; i < assets.length; i++) {
            requireGas(gasEach + assetGas);
            move(assets[i], gasEach);
        }
    }

    /// Has every deposit address of every group swept, each for itself. One that is not delegated here moves nothing.
    function sweepMany(Group[] calldata groups, uint256 gasEach) external {
        if (msg.sender != caller || address(this) != contractItself) revert NotToBeCalled();
        for (uint256 i = 0; i < groups.length; i++) {
            bytes memory data = abi.encodeCall(this.sweep, (groups[i].assets, gasEach));
            // One part in 64 stays behind at each of the two calls below (EIP-150).
            uint256 most = (groups[i].assets.length * (gasEach + assetGas) * 65) / 63 + depositGas;
            address[] calldata deposits = groups[i].deposits;
            for (uint256 j = 0; j < deposits.length; j++) {
                requireGas(most);
                address deposit = deposits[j];
                assembly ("memory-safe") {
                    // No answer is copied: a long one would be paid for here.
                    pop(call(most, deposit, 0, add(data, 32), mload(data), 0, 0))
                }
            }
        }
    }

    function move(address asset, uint256 gasEach) private {
        address to = destination;
        if (asset == address(0)) {
            assembly ("memory-safe") {
                // The stipend of 2300 is all that an account without code needs.
                pop(call(0, to, selfbalance(), 0, 0, 0, 0))
            }
            return;
        }
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x70a08231)) // balanceOf(address)
            mstore(add(data, 4), address())
            mstore(0, 0)
            let before := gas()
            if staticcall(gasEach, asset, data, 36, 0, 32) {
                let units := mload(0)
                let used := sub(before, gas())
                if and(and(gt(returndatasize(), 31), gt(units, 0)), gt(gasEach, used)) {
                    mstore(data, shl(224, 0xa9059cbb)) // transfer(address,uint256)
                    mstore(add(data, 4), to)
                    mstore(add(data, 36), units)
                    // What the answer took is not there again for the transfer.
                    pop(call(sub(gasEach, used), asset, 0, data, 68, 0, 0))
                }
            }
        }
    }

    function requireGas(uint256 needed) private view {
        if ((gasleft() * 63) / 64 < needed) revert TooLittleGas();
    }
}
