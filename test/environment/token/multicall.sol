// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Several calls in one `eth_call`, for the local chain: the two functions of Multicall3 that the
/// payment library (`tryAggregate`) and viem (`aggregate3`) ask for, put where they look for it.
/// Compiled like `usd-token.sol`.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }

    struct FallibleCall {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = attempt(calls[i].target, calls[i].callData, !requireSuccess);
        }
    }

    function aggregate3(FallibleCall[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = attempt(calls[i].target, calls[i].callData, calls[i].allowFailure);
        }
    }

    function attempt(address target, bytes calldata callData, bool mayFail) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(callData);
        require(result.success || mayFail, "Multicall3: call failed");
    }
}
